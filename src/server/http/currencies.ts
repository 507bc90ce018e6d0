import type { CurrencyInput } from '../../shared/api/currencies.ts'
import { currencyEndpoints, operatorCurrencyEndpoints } from '../../shared/api/currencies-schemas.ts'
import type { Currencies, CurrencyChange, FetchPrices } from '../currencies/currencies.ts'
import { type Server, serve } from './serve.ts'

/** A change of a receiving wallet, held back for a second operator where the campaign wants two pairs of eyes. */
export type GuardWallet = (
  change:
    | { kind: 'add'; input: CurrencyInput }
    | { kind: 'update'; code: string; change: CurrencyChange }
    | { kind: 'evm'; address: string },
  operatorId: string,
  requestId: string,
) => Promise<void>

/** Currencies: the public list, and the operators' table with rates and wallets. */
export function mountCurrencies(
  server: Server,
  currencies: Currencies,
  fetchPrices: FetchPrices,
  guardWallet: GuardWallet,
): void {
  serve(server, currencyEndpoints.list, async () => ({ items: await currencies.publicList() }))

  const routes = operatorCurrencyEndpoints
  serve(server, routes.list, async () => ({ items: await currencies.list() }))
  serve(server, routes.add, async ({ actor, body, request }) => {
    await guardWallet({ kind: 'add', input: body }, actor.operatorId, request.id)
    return currencies.add(body, { operatorId: actor.operatorId, requestId: request.id })
  })
  serve(server, routes.update, async ({ actor, params, body, request }) => {
    if (body.address !== undefined && body.address !== (await currencies.find(params.code)).address)
      await guardWallet({ kind: 'update', code: params.code, change: body }, actor.operatorId, request.id)
    return currencies.update(params.code, body, { operatorId: actor.operatorId, requestId: request.id })
  })
  serve(server, routes.remove, async ({ actor, params, request }) => ({
    outcome: await currencies.remove(params.code, { operatorId: actor.operatorId, requestId: request.id }),
  }))
  serve(server, routes.switchOn, ({ actor, params, request }) =>
    currencies.switchOn(params.code, { operatorId: actor.operatorId, requestId: request.id }),
  )
  serve(server, routes.pause, ({ actor, params, body, request }) =>
    currencies.pause(params.code, body.paused, body.reason ?? null, {
      operatorId: actor.operatorId,
      requestId: request.id,
    }),
  )
  serve(server, routes.refreshRates, ({ actor, request }) =>
    currencies.refreshRates(fetchPrices, { operatorId: actor.operatorId, requestId: request.id }),
  )
  serve(server, routes.setEvmWallet, async ({ actor, body, request }) => {
    await guardWallet({ kind: 'evm', address: body.address }, actor.operatorId, request.id)
    const codes = await currencies.setEvmWallet(body.address, {
      operatorId: actor.operatorId,
      requestId: request.id,
    })
    return { address: body.address, codes }
  })
}
