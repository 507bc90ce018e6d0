import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'

/** Give it a label if no text names the loading content. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label ? 'status' : undefined} className={cx('inline-flex items-center', className)}>
      <svg viewBox="0 0 16 16" className="size-[1.15em] animate-spin" aria-hidden="true" fill="none">
        <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
        <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  )
}

export function PageSpinner() {
  const { t } = useLingui()
  return (
    <div className="grid min-h-[60dvh] place-items-center text-2xl text-faint">
      <Spinner label={t`Loading`} />
    </div>
  )
}

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-skeleton rounded-md bg-line', className)} />
}

export function Skeletons({ count, className }: { count: number; className: string }) {
  // Placeholders have no identity.
  // oxlint-disable-next-line react/no-array-index-key
  return Array.from({ length: count }, (_, index) => <Skeleton key={index} className={className} />)
}

export function SkeletonGroup({ children }: { children: React.ReactNode }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">
        <Trans>Loading</Trans>
      </span>
      {children}
    </div>
  )
}
