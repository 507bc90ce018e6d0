import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import type { QuoteAmounts } from '../../../shared/api/orders.ts'
import { clockFace, useCountdown } from '../../ui/clock.ts'
import { Notice } from '../../ui/states.tsx'
import { useOnline } from '../online.ts'

/** One figure of a purchase, for a `dl`. */
export function Row({
  label,
  className,
  children,
}: {
  label: ReactNode
  /** How the figure looks. */
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className={cx('min-w-0 wrap-anywhere', className)}>{children}</dd>
    </div>
  )
}

/** Minutes and seconds that a quote is still held. */
export function TimeLeft({ until }: { until: string }) {
  const left = useCountdown(until)
  return left.over ? <Trans>expired</Trans> : <span className="figures">{clockFace(left).slice(3)}</span>
}

/** Says, before anything is confirmed or sent, that the order will hold no place, why, and what that means. */
export function NotHeld({ quote }: { quote: Pick<QuoteAmounts, 'notHeld'> & { watched: boolean } }) {
  const { t } = useLingui()
  if (quote.notHeld === null) return null
  const reasons: Record<NonNullable<QuoteAmounts['notHeld']>, string> = {
    stage: t`No place is held for this order, because unpaid orders hold too much of what this stage has left.`,
    buyer: t`No place is held for this order, because your unpaid orders hold as much as they may.`,
    unconfirmed: t`No place is held for this order: unpaid orders hold less while your e-mail address is not confirmed.`,
    payment: t`No place is held for this order.`,
  }
  return (
    <Notice tone="danger">
      <p className="font-semibold">{reasons[quote.notHeld]}</p>
      <p className="mt-0.5 text-soft">
        {quote.watched ? (
          <Trans>
            The place is taken when your payment is seen. If there is no room left by then, what you paid is
            owed back to you.
          </Trans>
        ) : (
          <Trans>
            The place is taken when an operator approves the order. If there is no room left by then, it can't
            be approved.
          </Trans>
        )}
      </p>
    </Notice>
  )
}

/** Says in a step of the purchase that the network is gone; nothing while it is there. */
export function Offline() {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" className="mb-3 border-l-4 border-danger bg-danger-soft px-4 py-3 text-sm">
      <Trans>You are offline. This goes on by itself when the network is back; nothing is sent twice.</Trans>
    </p>
  )
}
