import { cva, cx, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const badgeLook = cva(
  'inline-flex items-center gap-1.5 rounded-sm px-2 py-0.5 text-start text-xs font-medium sm:whitespace-nowrap',
  {
    variants: {
      tone: {
        neutral: 'bg-sunk text-soft',
        now: 'bg-now-soft text-now-text',
        success: 'bg-success-soft text-success',
        danger: 'bg-danger-soft text-danger',
        accent: 'bg-accent-soft text-accent-text',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export type Tone = NonNullable<VariantProps<typeof badgeLook>['tone']>

export function Badge({
  tone,
  className,
  children,
}: {
  tone?: Tone
  className?: string | undefined
  children: ReactNode
}) {
  return <span className={cx(badgeLook({ tone }), className)}>{children}</span>
}

const marks: Record<Tone, ReactNode> = {
  neutral: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  now: (
    <path d="M5 1.75a3.25 3.25 0 1 1-3.25 3.25M5 5V2.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
  ),
  success: <path d="m1.5 5.5 2.25 2.25L8.5 2.5" fill="none" stroke="currentColor" strokeWidth="1.75" />,
  danger: <path d="m2 2 6 6m0-6L2 8" fill="none" stroke="currentColor" strokeWidth="1.75" />,
  accent: <circle cx="5" cy="5" r="4" fill="currentColor" />,
}

/** The mark makes it independent of colour. */
export function Status({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <Badge tone={tone} className={className}>
      <svg viewBox="0 0 10 10" className="size-2.5 shrink-0" aria-hidden="true">
        {marks[tone]}
      </svg>
      {children}
    </Badge>
  )
}
