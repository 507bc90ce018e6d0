import { orderRoutes, quoteRoutes } from '../../shared/api/orders.ts'
import type { Orders } from '../orders/orders.ts'
import type { Quotes } from '../orders/quotes.ts'
import { requestHash, type Server, serve } from './serve.ts'

/** Quotes and a buyer's own orders. */
export function mountOrders(server: Server, quotes: Quotes, orders: Orders): void {
  serve(server, quoteRoutes.preview, ({ actor, body }) =>
    quotes.preview(actor.kind === 'buyer' ? actor.userId : null, body),
  )
  serve(server, quoteRoutes.bind, ({ actor, body }) => quotes.bind(actor.userId, body))
  serve(server, quoteRoutes.show, ({ actor, params }) => quotes.show(actor.userId, params.id))

  serve(
    server,
    orderRoutes.create,
    async ({ actor, body, idempotencyKey, request }) =>
      orders.create({
        userId: actor.userId,
        quoteId: body.quoteId,
        declarations: await orders.declarationsOf(body),
        idempotencyKey,
        requestHash: requestHash(request.body),
      }),
    { idempotency: 'statement' },
  )
  serve(server, orderRoutes.list, ({ actor, query }) => orders.list(actor.userId, query.after, query.limit))
  serve(server, orderRoutes.show, ({ actor, params }) => orders.show(actor.userId, params.token))
  serve(server, orderRoutes.cancel, ({ actor, params }) => orders.cancel(actor.userId, params.token))
  serve(server, orderRoutes.setTransactionId, ({ actor, params, body }) =>
    orders.setTransactionId(actor.userId, params.token, body.transactionId),
  )
}
