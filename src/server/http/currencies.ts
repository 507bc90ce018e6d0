import {
  currencyEndpoints,
  operatorCurrencyEndpoints as routes,
} from '../../shared/api/currencies-schemas.ts'
import { rateSourceEndpoints as sources } from '../../shared/api/rate-sources-schemas.ts'
import type { Currencies } from '../currencies/currencies.ts'
import type { Rates } from '../rates/rates.ts'
import { type Server, serve, serveAction, serveActions } from './serve.ts'

export function mountCurrencies(server: Server, currencies: Currencies): void {
  const { actions } = currencies
  serve(server, currencyEndpoints.list, async () => ({ items: await currencies.publicList() }))
  serve(server, routes.list, async () => ({ items: await currencies.list() }))
  serveAction(
    server,
    routes.update,
    actions['currency.update'],
    ({ params, body }) => [{ ...params, ...body }],
    {
      reply: ([currency]) => currency as NonNullable<typeof currency>,
    },
  )
  serveAction(server, routes.updateSeveral, actions['currency.update'], ({ body }) => body.currencies, {
    reply: (items) => ({ items }),
  })
  serveAction(server, routes.pause, actions['currency.pause'], ({ params, body }) => ({
    ...params,
    ...body,
    reason: body.reason ?? null,
  }))
  serveActions(server, routes, actions)
}

export function mountRateSources(server: Server, rates: Rates): void {
  const { actions } = rates
  serve(server, sources.list, () => rates.list())
  serveAction(server, sources.ask, actions['rate-source.ask'], ({ body }) =>
    body.source ? rates.ask(body.source) : rates.askPresent(body.name ?? ''),
  )
  serveAction(server, sources.set, actions['rate-source.set'], async ({ body }) => {
    // The transaction must not wait for a rate source.
    await rates.ask(body)
    return body
  })
  serveActions(server, sources, actions)
}
