import { operatorOrderEndpoints } from '../../shared/api/orders-schemas.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OperatorOrders } from '../orders/operator-orders.ts'
import { type Server, serve } from './serve.ts'

/** Holds an approval without a payment back for a second operator where the campaign wants two pairs of eyes. */
export type GuardApproval = (
  orderId: string,
  operatorId: string,
  reason: string | undefined,
  requestId: string,
) => Promise<void>

/** Orders in the operators' area: the table, one order, and what is decided about it. */
export function mountOperatorOrders(
  server: Server,
  orders: OperatorOrders,
  ledger: Ledger,
  guardApproval: GuardApproval,
): void {
  serve(server, operatorOrderEndpoints.list, ({ query }) => orders.list(query))
  serve(server, operatorOrderEndpoints.show, ({ params }) => orders.show(String(params.id)))

  serve(server, operatorOrderEndpoints.approve, async ({ actor, params, body, request }) => {
    const id = String(params.id)
    await guardApproval(id, actor.operatorId, body.reason, request.id)
    await ledger.approve(id, 'operator', {
      operatorId: actor.operatorId,
      reason: body.reason,
      requestId: request.id,
    })
    return orders.row(id)
  })
  serve(server, operatorOrderEndpoints.reject, async ({ actor, params, body, request }) => {
    const id = String(params.id)
    await ledger.reject(id, { operatorId: actor.operatorId, reason: body.reason, requestId: request.id })
    return orders.row(id)
  })
  serve(server, operatorOrderEndpoints.hide, ({ actor, params, request }) =>
    orders.setHidden(String(params.id), true, actor.operatorId, request.id),
  )
  serve(server, operatorOrderEndpoints.unhide, ({ actor, params, request }) =>
    orders.setHidden(String(params.id), false, actor.operatorId, request.id),
  )
}
