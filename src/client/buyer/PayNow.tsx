import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { lazy, type ReactNode, Suspense } from 'react'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { trimZeros } from '../../shared/money.ts'
import { isForRest, paidSoFar } from '../../shared/to-send.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { clockFace, useCountdown } from '../ui/clock.ts'
import { DemoWarning } from '../ui/DemoRibbon.tsx'
import { payersNetworkName } from '../ui/network-names.ts'
import { Money, TokenAmount } from '../ui/numbers.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { AddressCard } from './AddressCard.tsx'
import { PaymentRules } from './PaymentRules.tsx'
import { AddressOrigin, PayEscrow } from './purchase-parts.ts'
import { WalletLink } from './WalletLink.tsx'

const PayByWallet = lazy(() => import('./PayByWallet.tsx').then((part) => ({ default: part.PayByWallet })))

export function PayNow({ order, toSend, isDemo }: { order: BuyerOrder; toSend: string; isDemo: boolean }) {
  const { t } = useLingui()
  const { address, currency, detail } = order
  const isRest = isForRest(order)
  const until = order.expiresAt
  const network = payersNetworkName(order.network) || currency
  return (
    <section aria-label={t`Send the payment`}>
      <div className={cx('grid gap-x-8 gap-y-3', address && 'sm:grid-cols-[auto_1fr]')}>
        <div className="justify-self-center">
          {address ? <QrCode text={order.qrText} title={t`QR code of the payment`} size={200} /> : null}
        </div>
        <div className="min-w-0">
          <dl className="border-b border-line">
            <Line label={<AmountLabel isRest={isRest} isEscrowed={order.escrow !== null} />}>
              <span className="text-xl font-semibold">
                <TokenAmount value={toSend} unit={currency} decimalsMax={18} />
                {isRest ? null : (
                  <span className="text-base font-normal text-soft">
                    {' · '}
                    <Money value={order.usd} />
                  </span>
                )}
              </span>
              {order.escrow ? null : <CopyAmount amount={toSend} />}
            </Line>
            {until ? (
              <Line label={<Trans>Time left to pay</Trans>}>
                <Left until={until} />
              </Line>
            ) : null}
          </dl>
          {isRest ? (
            <p className="pt-2 text-sm text-soft">
              <Trans>
                <TokenAmount value={paidSoFar(order)} unit={currency} decimalsMax={18} /> of{' '}
                <TokenAmount value={order.askedAmount} unit={currency} decimalsMax={18} /> has been seen.
              </Trans>
            </p>
          ) : null}
          {order.escrow ? null : <Destination order={order} network={network} />}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {isDemo && !order.escrow ? <DemoWarning /> : null}
        <WalletLink uri={order.walletUri} />
      </div>
      {order.walletUri?.startsWith('ethereum:') ? (
        <Suspense fallback={<Skeleton className="mt-3 h-9 w-64" />}>
          <PayByWallet key={detail} order={order} />
        </Suspense>
      ) : null}
      <div className="mt-3">
        {order.escrow ? (
          <Suspense fallback={<Skeleton className="h-12" />}>
            <PayEscrow order={order} />
          </Suspense>
        ) : (
          <PaymentRules purchase={order} />
        )}
      </div>
    </section>
  )
}

function Destination({ order, network }: { order: BuyerOrder; network: string }) {
  return (
    <>
      <AddressCard address={order.address} label={<Trans>To this address, on {network} only</Trans>} />
      <Suspense fallback={<Skeleton className="h-24 sm:h-20" />}>
        <AddressOrigin order={order} />
      </Suspense>
    </>
  )
}

function CopyAmount({ amount }: { amount: string }) {
  const { t } = useLingui()
  return <CopyButton text={trimZeros(amount)} what={t`Copy the amount`} className="shrink-0" />
}

/** A payment to an escrow must be made by the wallet's call, not by hand. */
function AmountLabel({ isRest, isEscrowed }: { isRest: boolean; isEscrowed: boolean }) {
  if (isRest) return <Trans>Still missing</Trans>
  return isEscrowed ? <Trans>Into the escrow</Trans> : <Trans>Send exactly</Trans>
}

function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="border-b border-line py-2 first:pt-0 last:border-b-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="flex items-center justify-between gap-2">{children}</dd>
    </div>
  )
}

function Left({ until }: { until: string }) {
  const left = useCountdown(until)
  if (left.over) return <Trans>The time to pay is over.</Trans>
  return (
    <span className="figures text-xl font-semibold">
      {left.days > 0 ? `${left.days}d ` : ''}
      {clockFace(left)}
    </span>
  )
}
