import { Trans } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { useOnline } from '../online.ts'

export function Row({
  label,
  className,
  isWideOnly,
  children,
}: {
  label: ReactNode
  isWideOnly?: boolean
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2',
        isWideOnly && 'max-lg:hidden',
      )}
    >
      <dt className="text-sm text-soft">{label}</dt>
      <dd className={cx('min-w-0 wrap-anywhere', className)}>{children}</dd>
    </div>
  )
}

export function Offline() {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" className="mb-3 border-l-4 border-danger bg-danger-soft px-4 py-3 text-sm">
      <Trans>You are offline. This goes on by itself when the network is back; nothing is sent twice.</Trans>
    </p>
  )
}
