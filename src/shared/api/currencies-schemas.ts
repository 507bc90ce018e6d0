import { z } from 'zod'
import { networks } from '../networks.ts'
import { wholeTextsOf } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { currencyRoutes, operatorCurrencyRoutes } from './currencies.ts'
import { currencyFields, currencyInput, evmWalletChange } from './currencies-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, READ_FOR_ALL } from './route-schemas.ts'

/** A watched currency has no address: each order gets its own. */
export const publicCurrency = z.object({
  id: z.number().int(),
  code: z.string(),
  fullName: z.string(),
  network: z.enum(networks),
  /** Tokens for one coin, with 6 decimals. */
  rate: decimal,
  rateSource: z.enum(['manual', 'feed']),
  rateAt: instant,
  watched: z.boolean(),
  /** Paid into its stage's escrow by an EVM wallet, not to an address. */
  inEscrow: z.boolean(),
  address: z.string(),
  unavailable: z.enum(['paused', 'rate_stale', 'address_missing']).nullable(),
  rateProblem: z.enum(['no_source', 'too_few', 'disagree', 'no_price']).nullable().optional(),
  pauseReason: wholeTextsOf(z.string()).nullable(),
})

export const currencySchemas = {
  list: {
    summary: 'What is accepted now, in the operator’s order.',
    cost: READ_FOR_ALL,
    reply: z.object({ items: z.array(publicCurrency) }),
  },
} as const satisfies Record<string, RouteSchemas>
export const currencyEndpoints = endpoints(currencyRoutes, currencySchemas)

export const operatorCurrency = z.object({
  id: z.number().int(),
  code: z.string(),
  fullName: z.string(),
  network: z.enum(networks),
  address: z.string(),
  erc20: z.boolean(),
  tokenContract: z.string().nullable(),
  rate: decimal,
  rateSource: z.enum(['manual', 'feed']),
  rateAt: instant,
  priceId: z.string().nullable(),
  watched: z.boolean(),
  inEscrow: z.boolean(),
  switchedOffAt: instant.nullable(),
  pausedAt: instant.nullable(),
  pauseReason: wholeTextsOf(z.string()).nullable(),
  unavailable: publicCurrency.shape.unavailable,
  rateProblem: publicCurrency.shape.rateProblem,
  openOrders: z.number().int(),
  revision: z.number().int(),
})

const byCode = z.object({ code: z.string().trim().min(2).max(12) })
const currencyChange = z.object({
  revision: z.number().int().optional(),
  ...z.object(currencyFields).partial().shape,
})
const changeErrors = [
  'currency_unknown',
  'conflict',
  'currency_watched',
  'currency_in_use',
  'private_key_refused',
  'address_invalid',
  'address_taken',
] as const

export const operatorCurrencySchemas = {
  list: {
    summary: 'Every currency, those switched off included.',
    reply: z.object({ items: z.array(operatorCurrency) }),
  },
  add: {
    summary: 'Adds a currency. Its code is stored in upper case and never changes.',
    body: currencyInput,
    reply: operatorCurrency,
    errors: ['private_key_refused', 'address_invalid', 'address_taken', 'currency_exists'],
  },
  update: {
    summary: 'Changes name, rate, address, network or rate source, if nobody changed them since `revision`.',
    params: byCode,
    body: currencyChange,
    reply: operatorCurrency,
    errors: changeErrors,
  },
  updateSeveral: {
    summary:
      'The same for several currencies: all or nothing. A refusal names its currency (details.currency).',
    body: z.object({ currencies: z.array(byCode.extend(currencyChange.shape)).min(1).max(200) }),
    reply: z.object({ items: z.array(operatorCurrency) }),
    errors: changeErrors,
  },
  remove: {
    summary:
      'Deletes a currency, if nobody changed it since `revision`; one that orders use is switched off instead.',
    params: byCode,
    query: z.object({ revision: z.coerce.number().int().optional() }),
    reply: z.object({ outcome: z.enum(['deleted', 'switched_off']) }),
    errors: ['currency_unknown', 'conflict'],
  },
  switchOn: {
    summary: 'Puts a currency that was switched off back on the public list.',
    params: byCode,
    reply: operatorCurrency,
    errors: ['currency_unknown'],
  },
  pause: {
    summary: 'Pauses one currency with a public reason, or resumes it, if nobody did either meanwhile.',
    params: byCode,
    body: z.object({
      paused: z.boolean(),
      /** The pause as the operator saw it; left out: replaces any. Other changes never block a pause. */
      previousPausedAt: instant.nullable().optional(),
      reason: wholeTextsOf(z.string().max(500)).optional(),
    }),
    reply: operatorCurrency,
    errors: ['currency_unknown', 'conflict'],
  },
  escrow: {
    summary: 'Switches a currency to the escrow of its stage, or back; only before its first order.',
    params: byCode,
    body: z.object({ inEscrow: z.boolean() }),
    reply: operatorCurrency,
    errors: ['currency_unknown', 'escrow_needs_wallet', 'currency_has_orders', 'escrow_missing'],
  },
  refreshRates: {
    summary: 'Reads dollar prices and sets every rate; names the coins that the answer lacked.',
    reply: z.object({ updated: z.array(z.string()), missing: z.array(z.string()) }),
    errors: ['rates_unavailable'],
  },
  setEvmWallet: {
    summary: 'One address for all ERC-20 currencies, if they are still paid to what `replaces` says.',
    body: evmWalletChange,
    reply: z.object({ address: z.string(), codes: z.array(z.string()) }),
    errors: ['private_key_refused', 'address_invalid', 'address_taken', 'conflict'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorCurrencyEndpoints = endpoints(operatorCurrencyRoutes, operatorCurrencySchemas)
