import {
  orderEscrowEndpoints as orders,
  escrowEndpoints as routes,
} from '../../shared/api/escrows-schemas.ts'
import type { Escrows } from '../escrows/escrows.ts'
import { errorText } from '../refusal.ts'
import { languageOf } from './errors.ts'
import { type Server, serve, serveAct } from './serve.ts'

/** The escrows that stages are paid into, as operators make them. */
export function mountEscrows(server: Server, escrows: Escrows): void {
  const { acts } = escrows
  const replyOf = { reply: (number: number) => escrows.show(number) }
  serve(server, routes.list, () => escrows.list())
  serveAct(server, routes.announce, acts['escrow.announce'], ({ body }) => body, replyOf)
  serveAct(server, routes.withdraw, acts['escrow.withdraw'], ({ params }) => params, replyOf)
  serve(server, routes.contract, async ({ params, request }) => {
    const { latest, final, ...shown } = await escrows.contract(params.number)
    const told = (look: typeof latest) => ({
      ...look,
      message: look.fault && errorText(look.fault, languageOf(request)),
    })
    return { ...shown, latest: told(latest), final: told(final) }
  })
  serveAct(server, routes.enter, acts['escrow.enter'], ({ params }) => params, replyOf)
  serveAct(server, routes.key, acts['escrow.key'], () => ({}), { reply: (address) => ({ address }) })
  serve(server, orders.show, ({ actor, params }) => escrows.order(actor.userId, params.token))
  serve(server, orders.sign, ({ actor, params }) => escrows.sign(actor.userId, params.token))
  serve(server, orders.permit, ({ actor, params, body }) =>
    escrows.sign(actor.userId, params.token, body.signature),
  )
  serve(server, orders.cancelling, ({ params }) => escrows.cancelling(String(params.id)))
}
