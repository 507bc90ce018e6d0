import type { z } from 'zod'
import type { currencyInput } from './currencies-inputs.ts'
import type {
  currencySchemas,
  operatorCurrency,
  operatorCurrencySchemas,
  publicCurrency,
} from './currencies-schemas.ts'
import { executes, routes } from './route.ts'

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
    ...executes('currency.add'),
  },
  update: {
    method: 'PUT',
    path: '/operator/currencies/:code',
    ...executes('currency.update'),
  },
  updateSeveral: {
    method: 'PUT',
    path: '/operator/currencies',
    ...executes('currency.update'),
  },
  remove: {
    method: 'DELETE',
    path: '/operator/currencies/:code',
    ...executes('currency.remove'),
  },
  switchOn: {
    method: 'POST',
    path: '/operator/currencies/:code/switch-on',
    ...executes('currency.switch-on'),
  },
  pause: {
    method: 'PUT',
    path: '/operator/currencies/:code/pause',
    ...executes('currency.pause'),
  },
  escrow: {
    method: 'PUT',
    path: '/operator/currencies/:code/escrow',
    ...executes('currency.escrow'),
  },
  refreshRates: {
    method: 'POST',
    path: '/operator/currencies/refresh-rates',
    ...executes('currency.refresh-rates'),
  },
  setEvmWallet: {
    method: 'PUT',
    path: '/operator/currencies/evm-wallet',
    ...executes('currency.evm-wallet'),
  },
})
