import { Trans, useLingui } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { PaymentState } from '../../../shared/payment-states.ts'
import { isAlive } from '../../../shared/to-send.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Band } from '../../area/Page.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { type OrderPayment, progressOf } from './settlement.ts'
import { TransactionLink } from './TransactionLink.tsx'

const tones: Record<PaymentState, Tone> = {
  seen: 'now',
  confirming: 'now',
  credited: 'success',
  final: 'success',
  replaced: 'danger',
  orphaned: 'danger',
  failed: 'danger',
  wrong_asset: 'danger',
  unmatched: 'now',
  returned: 'danger',
  too_little: 'neutral',
  dust: 'neutral',
}

const toneOf = (payment: OrderPayment): Tone =>
  payment.state === 'confirming' && progressOf(payment).isConfirmed
    ? 'success'
    : tones[payment.state as PaymentState]

export function Payments({ order: { payments, others, currency } }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const columns = usePaymentColumns()
  return (
    <Band title={t`Payments`}>
      <DataTable caption={t`Payments`} columns={columns} rows={payments} keyOf={({ id }) => id} />
      {others ? (
        <p className="mt-2 text-sm text-soft">
          <Trans>
            Payments not listed: {others.count}, together{' '}
            <TokenAmount value={others.amount} unit={currency} decimalsMax={18} />
          </Trans>
        </p>
      ) : null}
    </Band>
  )
}

function usePaymentColumns(): Column<OrderPayment>[] {
  const { t } = useLingui()
  const stateName = useStateName()
  return [
    {
      label: t`Amount`,
      cell: ({ amount, currency }) => (
        <TokenAmount
          value={amount}
          unit={currency ?? t`of an unlisted token`}
          decimalsMax={18}
          className="whitespace-normal!"
        />
      ),
    },
    {
      label: t`State`,
      cell: (payment) => <Status tone={toneOf(payment)}>{stateName(payment)}</Status>,
    },
    {
      label: t`Confirmations`,
      numeric: true,
      cell: (payment) => {
        const { confirmed, confirmationsNeeded } = progressOf(payment)
        return isAlive(payment) ? t`${confirmed} of ${confirmationsNeeded}` : '—'
      },
    },
    { label: t`Seen`, cell: ({ seenAt }) => <DateTime value={seenAt} /> },
    {
      label: t`Transaction`,
      cell: ({ transactionId, explorerUrl }) => (
        <TransactionLink id={transactionId} url={explorerUrl} short />
      ),
    },
  ]
}

function useStateName(): (payment: OrderPayment) => string {
  const { t } = useLingui()
  return (payment) => {
    const names: Record<PaymentState, string> = {
      seen: t`seen, in no block yet`,
      confirming: progressOf(payment).isConfirmed ? t`confirmed` : t`confirming`,
      credited: t`credited`,
      final: t`settled for good`,
      replaced: t`replaced by another`,
      orphaned: t`taken back by the chain`,
      failed: t`failed: nothing arrived`,
      wrong_asset: t`another coin or token: an operator decides`,
      unmatched: t`an operator decides`,
      returned: t`given back by its escrow`,
      too_little: t`too little to buy or to send back`,
      dust: t`too little to buy or to send back`,
    }
    return names[payment.state as PaymentState]
  }
}
