import {
  orderEscrowEndpoints as orders,
  escrowEndpoints as routes,
} from '../../shared/api/escrows-schemas.ts'
import type { Escrows } from '../escrows/escrows.ts'
import { errorText } from '../refusal.ts'
import { languageOf } from './errors.ts'
import { type Server, serve, serveAction } from './serve.ts'

export function mountEscrows(server: Server, escrows: Escrows): void {
  const { actions } = escrows
  const replyOf = { reply: (number: number) => escrows.show(number) }
  serve(server, routes.list, () => escrows.list())
  serveAction(server, routes.announce, actions['escrow.announce'], ({ body }) => body, replyOf)
  serveAction(server, routes.withdraw, actions['escrow.withdraw'], ({ params }) => params, replyOf)
  serve(server, routes.contract, async ({ params, request }) => {
    const { latest, final, ...shown } = await escrows.contract(params.number)
    const told = (look: typeof latest) => ({
      ...look,
      message: look.fault && errorText(look.fault, languageOf(request)),
    })
    return { ...shown, latest: told(latest), final: told(final) }
  })
  serveAction(server, routes.enter, actions['escrow.enter'], ({ params }) => params, replyOf)
  serveAction(server, routes.key, actions['escrow.key'], () => ({}), { reply: (address) => ({ address }) })
  serve(server, orders.show, ({ caller, params }) => escrows.order(caller.userId, params.token))
  serve(server, orders.sign, ({ caller, params }) => escrows.sign(caller.userId, params.token))
  serve(server, orders.permit, ({ caller, params, body }) =>
    escrows.sign(caller.userId, params.token, body.signature),
  )
  serve(server, orders.cancelling, ({ params }) => escrows.cancelling(String(params.id)))
}
