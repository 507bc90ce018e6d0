import { Trans, useLingui } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { PaymentState } from '../../../shared/payment-states.ts'
import { Band } from '../../area/Page.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { isAlive, type OrderPayment } from './settlement.ts'
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
}

/** Each payment that the chain shows for this order. */
export function Payments({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  if (order.payments.length === 0) return null
  return (
    <Band title={<Trans>Payments</Trans>}>
      <Table caption={t`Payments`} stack>
        <THead>
          <Th>
            <Trans>Amount</Trans>
          </Th>
          <Th>
            <Trans>State</Trans>
          </Th>
          <Th numeric>
            <Trans>Confirmations</Trans>
          </Th>
          <Th>
            <Trans>Seen</Trans>
          </Th>
          <Th>
            <Trans>Transaction</Trans>
          </Th>
        </THead>
        <TBody>
          {order.payments.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} />
          ))}
        </TBody>
      </Table>
    </Band>
  )
}

function PaymentRow({ payment }: { payment: OrderPayment }) {
  const { t } = useLingui()
  const { confirmationsNeeded } = payment
  const state = payment.state as PaymentState
  const confirmed = Math.min(payment.confirmations, confirmationsNeeded)
  const awaitsFinality = state === 'confirming' && payment.confirmations >= confirmationsNeeded
  const names: Record<PaymentState, string> = {
    seen: t`seen, in no block yet`,
    confirming: awaitsFinality ? t`confirmed, not settled yet` : t`confirming`,
    credited: t`credited`,
    final: t`settled for good`,
    replaced: t`replaced by another`,
    orphaned: t`taken back by the chain`,
    failed: t`failed: nothing arrived`,
    wrong_asset: t`another coin or token: an operator decides`,
    unmatched: t`an operator decides`,
  }
  return (
    <Tr>
      <Td label={t`Amount`}>
        <TokenAmount
          value={payment.amount}
          unit={payment.currency ?? t`of an unlisted token`}
          decimalsMax={18}
        />
      </Td>
      <Td label={t`State`}>
        <Status tone={tones[state]}>{names[state]}</Status>
      </Td>
      <Td label={t`Confirmations`} numeric>
        {isAlive(payment) ? t`${confirmed} of ${confirmationsNeeded}` : '—'}
      </Td>
      <Td label={t`Seen`}>
        <DateTime value={payment.seenAt} />
      </Td>
      <Td label={t`Transaction`}>
        <TransactionLink id={payment.transactionId} url={payment.explorerUrl} short />
      </Td>
    </Tr>
  )
}
