import { publicPaymentEndpoints as routes } from '../../shared/api/payments-schemas.ts'
import type { Debts } from '../debts/debts.ts'
import { clientOf } from './authentication.ts'
import { type Server, serve } from './serve.ts'

/** Tokens are in bodies: logs contain URLs. */
export function mountDebts(server: Server, debts: Debts): void {
  serve(server, routes.requestDebtLink, ({ body, request }) =>
    debts.requestLink(body.email, clientOf(request)),
  )
  serve(server, routes.showDebts, async ({ body }) => ({
    items: await debts.show(body.token),
  }))
  serve(server, routes.claimDebts, async ({ body }) => ({
    items: await debts.claim(body.token, body.addresses),
  }))
}
