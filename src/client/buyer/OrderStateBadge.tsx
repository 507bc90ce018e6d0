import { useLingui } from '@lingui/react/macro'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { isToldAlone, type OrderDetail, toldDetail } from '../../shared/order-states.ts'
import { isTooLittle } from '../../shared/to-send.ts'
import { useDetailNames, useStatusNames } from '../area/order-words.ts'
import { Status, type Tone } from '../ui/Status.tsx'

const tones: Record<OrderDetail, Tone> = {
  awaiting_payment: 'now',
  seen: 'now',
  confirming: 'now',
  credited: 'success',
  expired: 'neutral',
  underpaid: 'now',
  overpaid: 'now',
  under_review: 'now',
  refund_due: 'danger',
  refunded: 'neutral',
  approved_by_operator: 'success',
  rejected_by_operator: 'danger',
  reversed: 'danger',
}

/** True if the detailed state repeats or supersedes the status. */
const saysAll = (order: Shown) =>
  order.withdrawnByOperator || /_by_operator/.test(order.detail) || isToldAlone(order)

type Shown = Pick<
  BuyerOrder,
  'status' | 'detail' | 'transactionId' | 'withdrawnByOperator' | 'sentAt' | 'watched'
> &
  Partial<Pick<BuyerOrder, 'payments'>>

export function OrderStateBadge({ order }: { order: Shown }) {
  const { t } = useLingui()
  const statusNames = useStatusNames()
  const sent = order.watched ? t`looking for the payment` : t`transaction id missing`
  const detailNames = useDetailNames({
    // A buyer who reported the payment as sent is not asked to pay, unless too little arrived.
    awaiting_payment: order.sentAt && !order.payments?.some(isTooLittle) ? sent : t`awaiting payment`,
    named: t`payment named, to be checked`,
    credited: t`credited`,
    expired: t`expired`,
  })
  const { status, detail, withdrawnByOperator } = order
  return (
    <Status tone={withdrawnByOperator ? 'neutral' : tones[detail]}>
      {saysAll(order) ? '' : `${statusNames[status]} · `}
      {withdrawnByOperator ? t`withdrawn by the operator` : detailNames[toldDetail(order)]}
    </Status>
  )
}
