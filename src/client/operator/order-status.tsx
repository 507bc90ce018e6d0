import { useLingui } from '@lingui/react/macro'
import { type OrderStatus, toldDetail } from '../../shared/order-states.ts'
import { useDetailNames, useStatusNames } from '../area/order-words.ts'
import { Status, type Tone } from '../ui/Status.tsx'

const tones: Record<OrderStatus, Tone> = { pending: 'now', approved: 'success', rejected: 'danger' }

/** The status in words, coloured and with a mark. */
export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  return <Status tone={tones[status]}>{useStatusNames()[status]}</Status>
}

/** The finer state beside the status. */
export function useDetailName(): (order: Parameters<typeof toldDetail>[0]) => string {
  const { t } = useLingui()
  const names = useDetailNames({
    awaiting_payment: t`waits for a payment`,
    named: t`payment named by the buyer`,
    credited: t`confirmed on chain`,
    expired: t`expired, holds nothing`,
    cancelled: t`cancelled by the buyer`,
  })
  return (order) => names[toldDetail(order)]
}
