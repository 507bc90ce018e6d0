import { useLingui } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderDetail } from '../../../shared/order-states.ts'
import { Status, type Tone } from '../../ui/Status.tsx'

const tones: Record<OrderDetail, Tone> = {
  awaiting_payment: 'now',
  seen: 'now',
  confirming: 'now',
  credited: 'success',
  expired: 'neutral',
  cancelled: 'neutral',
  underpaid: 'danger',
  overpaid: 'now',
  late: 'now',
  under_review: 'now',
  refund_due: 'danger',
  refunded: 'neutral',
  approved_by_operator: 'success',
  rejected_by_operator: 'danger',
  reversed: 'danger',
}

/** The words of the finer state. */
export function useDetailName(): (order: Pick<BuyerOrder, 'detail' | 'withdrawnByOperator'>) => string {
  const { t } = useLingui()
  return ({ detail, withdrawnByOperator }) => {
    if (withdrawnByOperator) return t`withdrawn by the operator`
    const names: Record<OrderDetail, string> = {
      awaiting_payment: t`awaiting payment`,
      seen: t`payment seen`,
      confirming: t`confirming`,
      credited: t`credited`,
      expired: t`expired`,
      cancelled: t`cancelled`,
      underpaid: t`underpaid`,
      overpaid: t`overpaid`,
      late: t`paid late`,
      under_review: t`under review`,
      refund_due: t`refund due`,
      refunded: t`refunded`,
      approved_by_operator: t`approved by an operator`,
      rejected_by_operator: t`rejected by an operator`,
      reversed: t`reversed`,
    }
    return names[detail]
  }
}

export function useStatusName(): (status: BuyerOrder['status']) => string {
  const { t } = useLingui()
  return (status) => ({ pending: t`pending`, approved: t`approved`, rejected: t`rejected` })[status]
}

/** Status and, after it, the finer state. */
export function DetailBadge({
  order,
}: {
  order: Pick<BuyerOrder, 'status' | 'detail' | 'withdrawnByOperator'>
}) {
  const detailName = useDetailName()
  const statusName = useStatusName()
  return (
    <Status tone={order.withdrawnByOperator ? 'neutral' : tones[order.detail]}>
      {statusName(order.status)} · {detailName(order)}
    </Status>
  )
}
