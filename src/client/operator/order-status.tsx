import { useLingui } from '@lingui/react/macro'
import type { OrderDetail, OrderStatus } from '../../shared/order-states.ts'
import { Status, type Tone } from '../ui/Status.tsx'

const tones: Record<OrderStatus, Tone> = { pending: 'now', approved: 'success', rejected: 'danger' }

/** The status in words, coloured and with a mark. */
export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  const { t } = useLingui()
  const words = { pending: t`pending`, approved: t`approved`, rejected: t`rejected` }
  return <Status tone={tones[status]}>{words[status]}</Status>
}

/** The finer state beside the status. */
export function useDetailName(): (detail: OrderDetail) => string {
  const { t } = useLingui()
  return (detail) =>
    ({
      awaiting_payment: t`waits for a payment`,
      seen: t`payment seen`,
      confirming: t`confirming`,
      credited: t`confirmed on chain`,
      expired: t`expired, holds nothing`,
      cancelled: t`cancelled by the buyer`,
      underpaid: t`underpaid`,
      overpaid: t`overpaid`,
      late: t`paid late`,
      under_review: t`under review`,
      refund_due: t`refund due`,
      refunded: t`refunded`,
      approved_by_operator: t`approved by an operator`,
      rejected_by_operator: t`rejected by an operator`,
      reversed: t`reversed`,
    })[detail]
}
