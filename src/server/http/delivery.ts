import { deliveryEscrowEndpoints as escrows } from '../../shared/api/delivery-escrows-schemas.ts'
import { deliveryEndpoints as routes } from '../../shared/api/delivery-schemas.ts'
import { roundFilePath } from '../../shared/api/rounds.ts'
import {
  operatorRoundEndpoints as operator,
  roundEndpoints as rounds,
} from '../../shared/api/rounds-schemas.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { errorText } from '../refusal.ts'
import { charged } from './costs.ts'
import { languageOf } from './errors.ts'
import { attachmentHeaders, sendStream } from './send-stream.ts'
import { API_PREFIX, buyerActor, type Server, serve, serveAction } from './serve.ts'

export function mountDelivery(server: Server, delivery: Delivery): void {
  mountAddresses(server, delivery)
  mountRounds(server, delivery)
  serve(server, escrows.list, async () => ({ items: await delivery.escrows() }))
  serve(server, escrows.own, async ({ caller }) => ({ items: await delivery.escrowOrders(caller.userId) }))
}

function mountAddresses(server: Server, delivery: Delivery): void {
  serve(server, routes.address, ({ caller }) => delivery.address(caller.userId))
  serve(server, routes.claims, async ({ caller }) => ({ items: await delivery.claims(caller.userId) }))
  serve(server, routes.challenge, ({ caller, body, request }) =>
    delivery.askForSignature(buyerActor(caller, request), body.address),
  )
  serve(server, routes.prove, async ({ caller, body, request }) => {
    await delivery.prove(buyerActor(caller, request), body)
    return delivery.address(caller.userId)
  })
  serve(server, routes.type, async ({ caller, body, request }) => {
    await delivery.type(buyerActor(caller, request), body.address)
    return delivery.address(caller.userId)
  })
  serve(server, routes.confirm, ({ body }) => delivery.confirm(body.token))
  serve(server, routes.withdraw, async ({ caller, request }) => {
    await delivery.withdraw(buyerActor(caller, request))
    return delivery.address(caller.userId)
  })
}

function mountRounds(server: Server, delivery: Delivery): void {
  const { actions } = delivery
  const replyOf = { reply: (number: number) => delivery.round(number) }
  serve(server, rounds.list, async () => ({ items: await delivery.rounds() }))
  serve(server, rounds.equation, () => delivery.equation())
  serve(server, rounds.proofs, ({ params, query }) => delivery.proofs(params.number, query.address))
  server.app.get<{ Params: { number: string } }>(
    API_PREFIX + roundFilePath(':number'),
    charged({ statements: 10 }),
    async ({ params }, reply) => {
      const number = /^[1-9]\d{0,8}$/.test(params.number) ? Number(params.number) : 0
      const { sha256, bytes, pieces } = await delivery.openFile(number)
      const headers = {
        ...attachmentHeaders(`delivery-round-${number}.json`),
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(bytes),
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${sha256}"`,
        // The list is public; claim.html reads it from wherever it was opened.
        'access-control-allow-origin': '*',
      }
      await sendStream(reply, headers, pieces, { limits: server.limits })
      return reply
    },
  )
  serve(server, operator.list, () => delivery.operatorRounds())
  serveAction(server, operator.announce, actions['round.announce'], ({ body }) => body, replyOf)
  serveAction(server, operator.cancel, actions['round.cancel'], ({ params }) => params, replyOf)
  serve(server, operator.distributor, async ({ params, query, request }) => {
    const { latest, final, ...shown } = await delivery.distributor(params.number, query.address)
    const told = (look: typeof latest) => ({
      ...look,
      message: look.fault && errorText(look.fault, languageOf(request)),
    })
    return { ...shown, latest: told(latest), final: told(final) }
  })
  serveAction(
    server,
    operator.goLive,
    actions['round.go-live'],
    ({ params, body }) => ({ ...params, ...body }),
    replyOf,
  )
  serveAction(server, operator.freeze, actions['round.freeze'], ({ params }) => params, replyOf)
}
