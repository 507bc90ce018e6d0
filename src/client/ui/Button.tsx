import { cva, cx, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, MouseEvent } from 'react'
import { Spinner } from './Spinner.tsx'
import { Tooltip } from './Tooltip.tsx'

/** Classes of a button, also for links: `<Link className={buttonLook({ variant: 'primary' })}>`. */
export const buttonLook = cva(
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-semibold leading-none whitespace-nowrap transition-colors select-none aria-disabled:cursor-not-allowed disabled:cursor-not-allowed',
  {
    variants: {
      variant: {
        primary:
          'border-transparent bg-accent text-on-accent hover:bg-accent-hover disabled:bg-line disabled:text-faint aria-disabled:bg-line aria-disabled:text-faint',
        secondary:
          'border-line-strong bg-transparent text-ink hover:bg-sunk disabled:border-line disabled:text-faint aria-disabled:border-line aria-disabled:text-faint',
        ghost:
          'border-transparent bg-transparent text-ink hover:bg-sunk disabled:text-faint aria-disabled:text-faint',
        danger:
          'border-transparent bg-danger text-on-danger hover:brightness-95 disabled:bg-line disabled:text-faint aria-disabled:bg-line aria-disabled:text-faint',
        link: 'border-transparent px-0! text-accent-text underline underline-offset-4 hover:no-underline',
      },
      size: {
        sm: 'h-8 px-3 text-sm pointer-coarse:h-11',
        md: 'h-11 px-4 text-base',
        lg: 'h-14 px-6 text-lg',
        icon: 'size-11 p-0',
        'icon-sm': 'size-8 p-0 pointer-coarse:size-11',
      },
      wide: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'primary', size: 'md', wide: false },
  },
)

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonLook> & {
    /** Keeps the width and ignores clicks. */
    loading?: boolean
    /** The disabled button stays focusable and shows this in a tooltip. */
    disabledReason?: string | false | null | undefined
  }

export function Button({
  variant,
  size,
  wide,
  loading = false,
  disabledReason,
  disabled,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const blocked = Boolean(disabledReason)
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked || loading) {
      event.preventDefault()
      return
    }
    onClick?.(event)
  }
  const button = (
    <button
      {...rest}
      type={type}
      className={cx(buttonLook({ variant, size, wide }), className)}
      disabled={disabled && !blocked}
      aria-disabled={blocked || loading || undefined}
      aria-busy={loading || undefined}
      onClick={handleClick}
    >
      <span className={cx('inline-flex items-center gap-2', loading && 'invisible')}>{children}</span>
      {loading ? <Spinner className="absolute" /> : null}
    </button>
  )
  return blocked ? <Tooltip text={disabledReason as string}>{button}</Tooltip> : button
}
