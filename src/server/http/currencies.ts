import {
  currencyEndpoints,
  operatorCurrencyEndpoints as routes,
} from '../../shared/api/currencies-schemas.ts'
import { rateSourceEndpoints as sources } from '../../shared/api/rate-sources-schemas.ts'
import type { Currencies } from '../currencies/currencies.ts'
import type { Rates } from '../rates/rates.ts'
import { type Server, serve, serveAct, serveActs } from './serve.ts'

/** Currencies: the public list, and the operators' table with rates and wallets. */
export function mountCurrencies(server: Server, currencies: Currencies): void {
  const { acts } = currencies
  serve(server, currencyEndpoints.list, async () => ({ items: await currencies.publicList() }))
  serve(server, routes.list, async () => ({ items: await currencies.list() }))
  serveAct(server, routes.update, acts['currency.update'], ({ params, body }) => [{ ...params, ...body }], {
    reply: ([currency]) => currency as NonNullable<typeof currency>,
  })
  serveAct(server, routes.updateSeveral, acts['currency.update'], ({ body }) => body.currencies, {
    reply: (items) => ({ items }),
  })
  serveAct(server, routes.pause, acts['currency.pause'], ({ params, body }) => ({
    ...params,
    ...body,
    reason: body.reason ?? null,
  }))
  serveActs(server, routes, acts)
}

/** Where rates come from. */
export function mountRateSources(server: Server, rates: Rates): void {
  const { acts } = rates
  serve(server, sources.list, () => rates.list())
  serveAct(server, sources.ask, acts['rate-source.ask'], ({ body }) =>
    body.source ? rates.ask(body.source) : rates.askPresent(body.name ?? ''),
  )
  serveAct(server, sources.set, acts['rate-source.set'], async ({ body }) => {
    // Outside the transaction, which nobody's source may hold open.
    await rates.ask(body)
    return body
  })
  serveActs(server, sources, acts)
}
