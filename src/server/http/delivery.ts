import { deliveryEndpoints as routes } from '../../shared/api/delivery-schemas.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { clientOf } from './authentication.ts'
import { buyerBy, type Server, serve } from './serve.ts'

/** Where buyers' tokens go. */
export function mountDelivery(server: Server, delivery: Delivery): void {
  serve(server, routes.address, ({ actor }) => delivery.address(actor.userId))
  serve(server, routes.challenge, ({ actor, body, request }) =>
    delivery.askForSignature(buyerBy(actor, request), body.address),
  )
  serve(server, routes.prove, async ({ actor, body, request }) => {
    await delivery.prove(buyerBy(actor, request), body)
    return delivery.address(actor.userId)
  })
  serve(server, routes.type, async ({ actor, body, request }) => {
    await delivery.type(buyerBy(actor, request), body.address)
    return delivery.address(actor.userId)
  })
  serve(server, routes.confirm, ({ body, request }) => delivery.confirm(body.token, clientOf(request)))
  serve(server, routes.withdraw, async ({ actor, request }) => {
    await delivery.withdraw(buyerBy(actor, request))
    return delivery.address(actor.userId)
  })
}
