import { Trans } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

export function EmptyState({
  picture,
  title,
  level: Title = 'p',
  children,
  action,
  className,
}: {
  picture?: ReactNode
  title: ReactNode
  /** `h1` if the page has nothing else. */
  level?: 'p' | 'h1'
  children?: ReactNode
  action?: ReactNode
  className?: string
}) {
  return (
    <div className={cx('flex flex-col items-center gap-3 px-4 py-10 text-center', className)}>
      {picture ? <div className="mb-1 h-32">{picture}</div> : null}
      <Title className="display text-3xl">{title}</Title>
      {children ? <div className="max-w-md text-soft">{children}</div> : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  )
}

/** Never shown as empty. */
export function ErrorState({
  title,
  children,
  onRetry,
  retrying = false,
  className,
}: {
  title: ReactNode
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  className?: string
}) {
  return (
    <div
      role="alert"
      className={cx(
        'flex flex-wrap items-center gap-4 border-l-4 border-danger bg-danger-soft px-4 py-3',
        className,
      )}
    >
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children ? <div className="text-sm text-soft">{children}</div> : null}
      </div>
      {onRetry ? (
        <Button variant="secondary" size="sm" loading={retrying} onClick={onRetry}>
          <Trans>Retry</Trans>
        </Button>
      ) : null}
    </div>
  )
}

export function Notice({
  tone = 'now',
  children,
  action,
}: {
  tone?: 'now' | 'danger' | 'neutral'
  children: ReactNode
  action?: ReactNode
}) {
  const look = {
    now: 'border-now bg-now-soft',
    danger: 'border-danger bg-danger-soft',
    neutral: 'border-line-strong bg-sunk',
  }
  return (
    <div
      role="status"
      className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 px-4 py-3 text-sm', look[tone])}
    >
      <div className="min-w-0 flex-1 basis-56">{children}</div>
      {action}
    </div>
  )
}
