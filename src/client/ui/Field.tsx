import { cx } from 'class-variance-authority'
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'

interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

const FieldContext = createContext<FieldIds | null>(null)

/** The control takes its ids from `useField`. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
  className,
  labelHidden = false,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** A word such as “optional” beside the label. */
  optional?: ReactNode
  children: ReactNode
  className?: string
  labelHidden?: boolean
}) {
  const id = useId()
  const described = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(' ')
  return (
    <FieldContext value={{ id, describedBy: described || undefined, invalid: Boolean(error) }}>
      <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
        <label
          htmlFor={id}
          className={labelHidden ? 'sr-only' : 'flex justify-between gap-2 text-sm font-medium'}
        >
          {label}
          {optional ? <span className="font-normal text-faint">{optional}</span> : null}
        </label>
        {children}
        {error ? (
          <p id={`${id}-error`} className="flex gap-1.5 text-sm text-danger">
            <span aria-hidden="true" className="font-bold">
              !
            </span>
            <span className="min-w-0">{error}</span>
          </p>
        ) : null}
        {hint ? (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        ) : null}
      </div>
    </FieldContext>
  )
}

/** Props for a control inside a `Field`. */
export function useField(own?: { id?: string | undefined; 'aria-describedby'?: string | undefined }) {
  const field = use(FieldContext)
  return {
    id: own?.id ?? field?.id,
    'aria-describedby': own?.['aria-describedby'] ?? field?.describedBy,
    'aria-invalid': field?.invalid || undefined,
  }
}

export const controlLook =
  'h-11 w-full min-w-0 rounded-md border border-line-strong bg-raised px-3 text-base text-ink transition-colors hover:border-ink focus-visible:outline-offset-0 aria-invalid:border-danger aria-invalid:outline-danger disabled:cursor-not-allowed disabled:border-line disabled:bg-sunk disabled:text-faint [&[readonly]]:bg-sunk'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  const field = useField(rest)
  return <input {...rest} {...field} className={cx(controlLook, className)} />
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  const field = useField(rest)
  return <textarea rows={rows} {...rest} {...field} className={cx(controlLook, 'h-auto py-2.5', className)} />
}

/** Smaller than `Select`. */
export function NativeSelect({ className, ...rest }: ComponentProps<'select'>) {
  const field = useField(rest)
  return <select {...rest} {...field} className={cx(controlLook, 'own-arrow', className)} />
}

/** Scrolled into view when it appears. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div
      ref={bringIntoView}
      role="alert"
      // Keeps it clear of a dialog's sticky buttons.
      className="scroll-my-24 rounded-md border-l-4 border-danger bg-danger-soft px-4 py-3 text-sm"
    >
      {children}
    </div>
  )
}

/** Use it as a `ref`. */
export const bringIntoView = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' })
