import { useLingui } from '@lingui/react/macro'
import { isToldAlone, type OrderDetail, type OrderStatus, toldDetail } from '../../shared/order-states.ts'
import { useDetailNames, useStatusNames } from '../area/order-words.ts'
import { Badge, Status, type Tone } from '../ui/Status.tsx'

const tones: Record<OrderStatus, Tone> = { pending: 'now', approved: 'success', rejected: 'danger' }
const tonesAlone: Partial<Record<OrderDetail, Tone>> = { refund_due: 'danger' }

type Told = Parameters<typeof toldDetail>[0] & { readonly status: OrderStatus }

export function OrderStatusBadge({ order, className }: { order: Told; className?: string }) {
  const statusNames = useStatusNames()
  const detailName = useDetailName()
  if (isToldAlone(order))
    return (
      <Status tone={tonesAlone[order.detail]} className={className}>
        {detailName(order)}
      </Status>
    )
  return <Status tone={tones[order.status]}>{statusNames[order.status]}</Status>
}

export function OrderDetailBadge({ order }: { order: Told }) {
  const detailName = useDetailName()
  return isToldAlone(order) ? null : <Badge>{detailName(order)}</Badge>
}

export function useDetailName(): (order: Parameters<typeof toldDetail>[0]) => string {
  const { t } = useLingui()
  const names = useDetailNames({
    awaiting_payment: t`waits for a payment`,
    named: t`payment named by the buyer`,
    credited: t`confirmed on chain`,
    expired: t`expired`,
  })
  return (order) => names[toldDetail(order)]
}
