import type { z } from 'zod'
import type { currencyInput } from './currencies-inputs.ts'
import type {
  currencySchemas,
  operatorCurrency,
  operatorCurrencySchemas,
  publicCurrency,
} from './currencies-schemas.ts'
import { routes } from './route.ts'

/** Networks on which a currency can live. `evm` families name the chain; `other` has no address check but a length. */
export const networks = [
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ethereum',
  'bsc',
  'polygon',
  'avalanche',
  'cronos',
  'tron',
  'solana',
  'ripple',
  'other',
] as const
export type Network = (typeof networks)[number]
export const evmNetworks: readonly Network[] = ['ethereum', 'bsc', 'polygon', 'avalanche', 'cronos']
export type PublicCurrency = z.infer<typeof publicCurrency>

export const currencyRoutes = routes<typeof currencySchemas>()({
  list: { method: 'GET', path: '/currencies', audience: 'visitor' },
})

export type CurrencyInput = z.input<typeof currencyInput>
export type OperatorCurrency = z.infer<typeof operatorCurrency>

export const operatorCurrencyRoutes = routes<typeof operatorCurrencySchemas>()({
  list: { method: 'GET', path: '/operator/currencies', audience: { operator: 'any' } },
  add: {
    method: 'POST',
    path: '/operator/currencies',
    audience: { operator: 'currencies:write' },
    stepUp: true,
  },
  update: {
    method: 'PUT',
    path: '/operator/currencies/:code',
    audience: { operator: 'currencies:write' },
    stepUp: true,
  },
  remove: {
    method: 'DELETE',
    path: '/operator/currencies/:code',
    audience: { operator: 'currencies:write' },
    stepUp: true,
  },
  switchOn: {
    method: 'POST',
    path: '/operator/currencies/:code/switch-on',
    audience: { operator: 'currencies:write' },
    stepUp: true,
  },
  pause: {
    method: 'PUT',
    path: '/operator/currencies/:code/pause',
    audience: { operator: 'currencies:write' },
  },
  refreshRates: {
    method: 'POST',
    path: '/operator/currencies/refresh-rates',
    audience: { operator: 'currencies:write' },
  },
  setEvmWallet: {
    method: 'PUT',
    path: '/operator/currencies/evm-wallet',
    audience: { operator: 'currencies:write' },
    stepUp: true,
  },
})
