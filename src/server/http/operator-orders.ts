import type { z } from 'zod'
import { type decisionAsSeen, operatorOrderEndpoints as routes } from '../../shared/api/orders-schemas.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OperatorOrders } from '../orders/operator-orders.ts'
import { type Server, serve, serveAction } from './serve.ts'

type Decision = z.output<typeof decisionAsSeen>

/** Orders in the operators' area: the table, one order, and what is decided about it. */
export function mountOperatorOrders(server: Server, orders: OperatorOrders, ledger: Ledger): void {
  serve(server, routes.list, ({ query }) => orders.list(query))
  serve(server, routes.counts, () => orders.counts())
  serve(server, routes.show, ({ params }) => orders.show(String(params.id)))

  const orderOf = ({ params }: { params: { id: number } }) => orders.row(String(params.id))
  const decisionOf = ({ params, body }: { params: { id: number }; body: Decision }) => ({
    orderId: String(params.id),
    reason: body.reason,
    seen: body.status,
  })
  serveAction(server, routes.approve, ledger.actions['order.approve'], decisionOf, {
    reply: (_changed, call) => orderOf(call),
  })
  serveAction(
    server,
    routes.reject,
    ledger.actions['order.reject'],
    (call) => ({ ...decisionOf(call), came: call.body.came }),
    { reply: (_changed, call) => orderOf(call) },
  )
  const idOf = ({ params }: { params: { id: number } }) => ({ orderId: String(params.id) })
  const options = { reply: (_changed: boolean, call: { params: { id: number } }) => orderOf(call) }
  serveAction(
    server,
    routes.hide,
    orders.actions['order.hide'],
    ({ params, body }) => ({ orderId: String(params.id), reason: body.reason }),
    options,
  )
  serveAction(server, routes.unhide, orders.actions['order.unhide'], idOf, options)
}
