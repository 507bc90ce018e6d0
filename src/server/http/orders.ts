import { z } from 'zod'
import { framedOrderEndpoints } from '../../shared/api/framed-orders-schemas.ts'
import { receiptPath } from '../../shared/api/orders.ts'
import { orderEndpoints } from '../../shared/api/orders-schemas.ts'
import { languages } from '../../shared/languages.ts'
import { parseQuery } from '../invalid-input.ts'
import type { Journal } from '../journal/journal.ts'
import type { FramedOrders } from '../orders/framed-orders.ts'
import type { Orders } from '../orders/orders.ts'
import type { Pricing } from '../orders/pricing.ts'
import type { Wallets } from '../payments/wallets.ts'
import { refuse } from '../refusal.ts'
import { networkOf } from './authentication.ts'
import { charged } from './costs.ts'
import { requestHash } from './idempotency.ts'
import { attachmentHeaders } from './send-stream.ts'
import { API_PREFIX, type Server, serve } from './serve.ts'

interface OrderNeeds {
  readonly pricing: Pricing
  readonly orders: Orders
  readonly framedOrders: FramedOrders
  readonly journal: Pick<Journal, 'receipt' | 'addressProof'>
  readonly wallets: Pick<Wallets, 'account'>
}

export function mountOrders(server: Server, needs: OrderNeeds): void {
  const { pricing, orders, journal, wallets } = needs
  serve(server, orderEndpoints.preview, ({ caller, body }) =>
    pricing.preview(caller.kind === 'buyer' ? caller.userId : null, body),
  )
  mountFramedOrders(server, needs)

  serve(
    server,
    orderEndpoints.create,
    ({ caller, body, idempotencyKey, request }) => {
      const network = networkOf(request.ip)
      const takeNetwork = () => server.limits.spend(network, { orders: 1 }, 'signed-in')
      const key = { userId: caller.userId, idempotencyKey, requestHash: requestHash(request.body) }
      return orders.place({ ...key, network, takeNetwork }, body)
    },
    { idempotency: 'statement' },
  )
  serve(server, orderEndpoints.list, ({ caller, query }) =>
    orders.list(caller.userId, query.after, query.limit),
  )
  serve(server, orderEndpoints.open, ({ caller }) => orders.open(caller.userId))
  serve(server, orderEndpoints.show, ({ caller, params }) => orders.show(caller.userId, params.token))
  mountReceipt(server, orders)
  serve(server, orderEndpoints.proof, async ({ caller, params }) => {
    // The order must be the caller's.
    const { token } = await orders.show(caller.userId, params.token)
    return journal.receipt(token)
  })
  serve(server, orderEndpoints.addressProof, async ({ caller, params }) => {
    const { token } = await orders.show(caller.userId, params.token)
    return journal.addressProof(token, (tx, id) => wallets.account(tx, id))
  })
  serve(server, orderEndpoints.noteSent, ({ caller, params }) => orders.noteSent(caller.userId, params.token))
  serve(server, orderEndpoints.takeBack, ({ caller, params }) => orders.takeBack(caller.userId, params.token))
  serve(server, orderEndpoints.setTransactionId, ({ caller, params, body }) =>
    orders.setTransactionId(caller.userId, params.token, body.transactionId),
  )
}

/** For a checkout in a frame. */
function mountFramedOrders(server: Server, { framedOrders }: OrderNeeds): void {
  serve(server, framedOrderEndpoints.tell, ({ caller, params, body }) =>
    framedOrders.tell(caller.userId, params.token, body.keyHash),
  )
  serve(server, framedOrderEndpoints.follow, async ({ body }) => ({
    orders: await framedOrders.follow(body.key),
  }))
}

const receiptQuery = z.object({ language: z.enum(languages).optional() })

/** Outside the JSON routes: the browser downloads it from a link. */
function mountReceipt({ app, authenticator, limits }: Server, orders: Orders): void {
  app.get<{ Params: { token: string } }>(
    API_PREFIX + receiptPath,
    charged({ statements: 10 }),
    async (request, reply) => {
      const buyer = (await authenticator.buyer(request)) ?? refuse('not_signed_in')
      limits.spend(networkOf(request.ip), { renders: 3 }, 'signed-in')
      const { token } = request.params
      const { language } = parseQuery(receiptQuery, request.query)
      const { number, pdf } = await orders.receipt(buyer.userId, token, language ?? buyer.language)
      return reply
        .headers(attachmentHeaders(`receipt-${number}.pdf`))
        .type('application/pdf')
        .header('cache-control', 'no-store')
        .send(pdf)
    },
  )
}
