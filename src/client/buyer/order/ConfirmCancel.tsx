import { Trans } from '@lingui/react/macro'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { keepOrder } from '../queries.ts'
import { touched } from '../touched.ts'

/** Asks before an order is cancelled, and cancels it. */
export function ConfirmCancel({ order, onClose }: { order: BuyerOrder; onClose: () => void }) {
  const n = order.number
  return (
    <ConfirmChange
      title={<Trans>Cancel order #{n}?</Trans>}
      confirm={<Trans>Cancel the order</Trans>}
      cancel={<Trans>Keep it</Trans>}
      danger
      run={() => call(orderRoutes.cancel, { params: { token: order.token } })}
      touches={touched.orders}
      done={keepOrder}
      onClose={onClose}
    >
      <Trans>Do this only if you have not sent anything.</Trans>
    </ConfirmChange>
  )
}
