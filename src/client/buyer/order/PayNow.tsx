import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { payersNetworkName } from '../../area/network-names.ts'
import { Band } from '../../area/Page.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { clockFace, useCountdown } from '../../ui/clock.ts'
import { TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { PaymentRules } from '../PaymentRules.tsx'
import { WalletLink } from '../WalletLink.tsx'
import { missingOf, paidSoFar } from './settlement.ts'

/** How much to send where, and how much time is left. */
export function PayNow({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const left = useCountdown(order.expiresAt)
  const network = payersNetworkName(order.network) || order.currency
  return (
    <Band title={<Trans>Send the payment</Trans>}>
      <BesideCode
        code={order.address ? <QrCode text={order.qrText} title={t`QR code of the payment`} /> : null}
      >
        <p>
          <Trans>
            Send exactly{' '}
            <TokenAmount
              value={order.cryptoAmount}
              unit={order.currency}
              decimalsMax={18}
              className="font-semibold"
            />{' '}
            to the address above, on {network} only.
          </Trans>
        </p>
        <p className="mt-2 text-sm text-soft">
          {left.over ? (
            <Trans>The time to pay is over.</Trans>
          ) : (
            <Trans>
              Time left to pay: <Left until={order.expiresAt} />
            </Trans>
          )}
        </p>
        <WalletLink uri={order.walletUri} className="mt-3" />
      </BesideCode>
      <div className="mt-4">
        <PaymentRules purchase={order} />
      </div>
    </Band>
  )
}

/** What is missing of an underpaid order, and where to send it. */
export function TopUp({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const missing = missingOf(order)
  if (!missing) return null
  const network = payersNetworkName(order.network) || order.currency
  return (
    <Band title={<Trans>Send the rest</Trans>}>
      {/* The plain address: a payment link would ask for the whole amount again. */}
      <BesideCode code={<QrCode text={order.address} title={t`QR code of the address`} />}>
        <p className="text-sm text-soft">
          <Trans>Still missing</Trans>
        </p>
        <p className="flex items-center gap-2 text-xl font-semibold">
          <TokenAmount value={missing} unit={order.currency} decimalsMax={18} />
          <CopyButton text={missing} what={t`Copy the amount`} />
        </p>
        <p className="mt-2 text-sm text-soft">
          <Trans>
            <TokenAmount value={paidSoFar(order)} unit={order.currency} decimalsMax={18} /> of{' '}
            <TokenAmount value={order.cryptoAmount} unit={order.currency} decimalsMax={18} /> has been seen.
            Send the rest to the same address, on {network} only.
          </Trans>
        </p>
      </BesideCode>
    </Band>
  )
}

function BesideCode({ code, children }: { code: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
      {code}
      <div className="min-w-0 flex-1 basis-64">{children}</div>
    </div>
  )
}

function Left({ until }: { until: string }) {
  const left = useCountdown(until)
  return (
    <span className="figures">
      {left.days > 0 ? `${left.days}d ` : ''}
      {clockFace(left)}
    </span>
  )
}
