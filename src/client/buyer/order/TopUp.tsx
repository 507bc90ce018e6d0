import { Trans, useLingui } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { payersNetworkName } from '../../area/network-names.ts'
import { Band } from '../../area/Page.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { missingOf, paidSoFar } from './settlement.ts'

/** What is missing of an underpaid order, and where to send it. */
export function TopUp({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const missing = missingOf(order)
  if (!missing) return null
  const network = payersNetworkName(order.network) || order.currency
  return (
    <Band title={<Trans>Send the rest</Trans>}>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        {/* The plain address: a payment link would ask for the whole amount again. */}
        <QrCode text={order.address} title={t`QR code of the address`} />
        <div className="min-w-0 flex-1 basis-64">
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
        </div>
      </div>
    </Band>
  )
}
