import type { z } from 'zod'
import {
  type decisionAsSeen,
  type operatorOrder,
  operatorOrderEndpoints as routes,
} from '../../shared/api/orders-schemas.ts'
import { logAccess } from '../access-log/access-log.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OperatorOrders } from '../orders/operator-orders.ts'
import {
  type Asking,
  hasRight,
  type OperatorCaller,
  operatorActor,
  type Server,
  serve,
  serveAction,
} from './serve.ts'

type Decision = z.output<typeof decisionAsSeen>
type OrderCall = Asking & { readonly caller: OperatorCaller; readonly params: { readonly id: number } }

/** Hidden from a key without the right to read orders. */
const unread = {
  token: '',
  email: '',
  userId: 0,
  userReference: '',
  address: '',
  country: null,
  transactionId: null,
  paidBy: null,
}

export function mountOperatorOrders(server: Server, orders: OperatorOrders, ledger: Ledger): void {
  serve(server, routes.list, ({ query }) => orders.list(query))
  serve(server, routes.counts, () => orders.counts())
  serve(server, routes.show, ({ params }) => orders.show(String(params.id)))

  const orderOf = (changed: boolean, call: OrderCall) => orderShownTo(server, orders, changed, call)
  const decisionOf = ({ params, body }: { params: { id: number }; body: Decision }) => ({
    orderId: String(params.id),
    reason: body.reason,
    seen: body.status,
  })
  serveAction(server, routes.approve, ledger.actions['order.approve'], decisionOf, {
    reply: orderOf,
  })
  serveAction(
    server,
    routes.reject,
    ledger.actions['order.reject'],
    (call) => ({ ...decisionOf(call), came: call.body.came }),
    { reply: orderOf },
  )
  const idOf = ({ params }: { params: { id: number } }) => ({ orderId: String(params.id) })
  const options = { reply: orderOf }
  serveAction(
    server,
    routes.hide,
    orders.actions['order.hide'],
    ({ params, body }) => ({ orderId: String(params.id), reason: body.reason }),
    options,
  )
  serveAction(server, routes.unhide, orders.actions['order.unhide'], idOf, options)
}

// Rules: RIGHT-24
/** A change is in the audit log; without one the order was only read, so the access is logged. */
async function orderShownTo(
  server: Server,
  orders: OperatorOrders,
  changed: boolean,
  call: OrderCall,
): Promise<z.input<typeof operatorOrder>> {
  const orderId = String(call.params.id)
  if (!changed) await logAccess(server.db, operatorActor(call.caller, call), { orderId })
  const order = await orders.row(orderId)
  return hasRight(call.caller, 'orders:read') ? order : { ...order, ...unread }
}
