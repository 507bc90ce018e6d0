import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface ChoiceProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
  hint?: ReactNode
  error?: ReactNode
  disabled?: boolean
  name?: string
  inputRef?: React.Ref<HTMLInputElement>
  /** The label is for screen readers only. */
  labelHidden?: boolean
}

export function Checkbox(props: ChoiceProps) {
  const { own, words } = useChoice(props)
  return (
    <div className="flex gap-3">
      <span className="mt-0.5 grid size-6 shrink-0 place-items-center *:[grid-area:1/1]">
        <input
          {...own}
          className="peer size-6 appearance-none rounded-sm border border-line-strong bg-raised checked:border-ink checked:bg-ink hover:border-ink disabled:opacity-50 aria-invalid:border-danger"
        />
        <Check
          aria-hidden="true"
          className="pointer-events-none size-4 text-paper opacity-0 peer-checked:opacity-100"
          strokeWidth={3}
        />
      </span>
      {words}
    </div>
  )
}

export function Switch(props: ChoiceProps) {
  const { own, words } = useChoice(props)
  return (
    <div className="flex gap-3">
      <span className="mt-0.5 grid h-6 w-10 shrink-0 items-center *:[grid-area:1/1]">
        <input
          {...own}
          role="switch"
          className="peer h-6 w-10 appearance-none rounded-full border border-line-strong bg-sunk transition-colors checked:border-success checked:bg-success disabled:opacity-50"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none ml-[3px] size-4.5 rounded-full bg-ink transition-transform peer-checked:translate-x-4 peer-checked:bg-paper"
        />
      </span>
      {words}
    </div>
  )
}

function useChoice({
  checked,
  onCheckedChange,
  children,
  hint,
  error,
  disabled,
  name,
  inputRef,
  labelHidden = false,
}: ChoiceProps): { own: ComponentProps<'input'>; words: ReactNode } {
  const id = useId()
  return {
    own: {
      type: 'checkbox',
      id,
      ref: inputRef,
      checked,
      onChange: (event) => onCheckedChange(event.target.checked),
      disabled,
      name,
      'aria-describedby': hint || error ? `${id}-note` : undefined,
      'aria-invalid': error ? true : undefined,
    },
    words: (
      <ChoiceText id={id} hint={hint} error={error} hidden={labelHidden}>
        {children}
      </ChoiceText>
    ),
  }
}

function ChoiceText({
  id,
  hint,
  error,
  hidden,
  children,
}: {
  id: string
  hint: ReactNode
  error: ReactNode
  hidden: boolean
  children: ReactNode
}) {
  return (
    <div className={hidden ? 'sr-only' : 'min-w-0 text-sm leading-6'}>
      <label htmlFor={id} className="font-medium">
        {children}
      </label>
      {hint || error ? (
        <p id={`${id}-note`} className={error ? 'text-danger' : 'text-soft'}>
          {error || hint}
        </p>
      ) : null}
    </div>
  )
}
