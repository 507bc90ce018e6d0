import { z } from 'zod'
import { decimal, instant, route } from './route.ts'

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

/** A currency as a buyer sees it. A watched one has no address here: each order gets its own. */
export const publicCurrency = z.object({
  id: z.number().int(),
  code: z.string(),
  fullName: z.string(),
  network: z.enum(networks),
  /** Tokens for one coin, as shown (trimmed to 6 decimals). */
  rate: decimal,
  rateSource: z.enum(['manual', 'feed']),
  rateAt: instant,
  watched: z.boolean(),
  address: z.string(),
  /** Why it cannot be bought just now; null if it can. */
  unavailable: z.enum(['paused', 'rate_stale', 'address_missing']).nullable(),
  /** What is wrong with a stale feed: no source answers, too few do, or they disagree. */
  rateProblem: z.enum(['no_source', 'too_few', 'disagree', 'no_price']).nullable().optional(),
  pauseReason: z.object({ en: z.string(), ru: z.string() }).nullable(),
})
export type PublicCurrency = z.infer<typeof publicCurrency>

export const currencyRoutes = {
  list: route({
    method: 'GET',
    path: '/currencies',
    summary: 'What is accepted now, in the operator’s order.',
    audience: 'visitor',
    reply: z.object({ items: z.array(publicCurrency) }),
  }),
} as const

const positiveNumber = z
  .string()
  .trim()
  .regex(/^\d{1,24}(\.\d{1,18})?$/, 'Rate must be a positive number.')
  .refine((value) => /[1-9]/.test(value), 'Rate must be a positive number.')

/** What the add and edit forms take; messages are those of SPEC section 5. */
export const currencyFields = {
  fullName: z.string().trim().min(2, 'Full name must be at least 2 characters.').max(60),
  rate: positiveNumber,
  address: z.string().trim().max(200),
  network: z.enum(networks),
  erc20: z.boolean(),
  tokenContract: z.string().trim().max(80).nullable(),
  rateSource: z.enum(['manual', 'feed']),
  priceId: z
    .string()
    .trim()
    .max(80)
    .regex(/^[a-z0-9-]*$/)
    .nullable(),
}

export const currencyInput = z.object({
  code: z
    .string()
    .trim()
    .min(2, 'Currency must be at least 2 characters.')
    .max(12)
    .regex(/^[A-Za-z0-9]+$/)
    .transform((code) => code.toUpperCase()),
  fullName: currencyFields.fullName,
  rate: currencyFields.rate,
  address: currencyFields.address.min(5, 'Address must be at least 5 characters.'),
  network: currencyFields.network.optional(),
  erc20: currencyFields.erc20.optional(),
  tokenContract: currencyFields.tokenContract.optional(),
  rateSource: currencyFields.rateSource.optional(),
  priceId: currencyFields.priceId.optional(),
})
export type CurrencyInput = z.input<typeof currencyInput>

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
  switchedOffAt: instant.nullable(),
  pausedAt: instant.nullable(),
  pauseReason: z.object({ en: z.string(), ru: z.string() }).nullable(),
  openOrders: z.number().int(),
  revision: z.number().int(),
})
export type OperatorCurrency = z.infer<typeof operatorCurrency>

const byCode = z.object({ code: z.string().trim().min(2).max(12) })

/** One address for all ERC-20 currencies. */
export const evmWalletInput = z.object({
  address: z.string().trim().min(5, 'Address must be at least 5 characters.').max(100),
})

export const operatorCurrencyRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/currencies',
    summary: 'Every currency, those switched off included.',
    audience: { operator: 'any' },
    reply: z.object({ items: z.array(operatorCurrency) }),
  }),
  add: route({
    method: 'POST',
    path: '/operator/currencies',
    summary: 'Adds a currency. Its code is stored in upper case and never changes.',
    audience: { operator: 'currencies:write' },
    stepUp: true,
    body: currencyInput,
    reply: operatorCurrency,
    errors: ['private_key_refused', 'address_invalid', 'currency_exists'],
  }),
  update: route({
    method: 'PUT',
    path: '/operator/currencies/:code',
    summary: 'Changes name, rate, address, network or rate source, if nobody changed them since `revision`.',
    audience: { operator: 'currencies:write' },
    stepUp: true,
    params: byCode,
    body: z.object({ revision: z.number().int().optional(), ...z.object(currencyFields).partial().shape }),
    reply: operatorCurrency,
    errors: [
      'currency_unknown',
      'conflict',
      'currency_watched',
      'private_key_refused',
      'address_invalid',
      'second_operator_required',
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/operator/currencies/:code',
    summary: 'Deletes a currency; one that orders use is switched off instead.',
    audience: { operator: 'currencies:write' },
    stepUp: true,
    params: byCode,
    reply: z.object({ outcome: z.enum(['deleted', 'switched_off']) }),
    errors: ['currency_unknown'],
  }),
  switchOn: route({
    method: 'POST',
    path: '/operator/currencies/:code/switch-on',
    summary: 'Puts a currency that was switched off back on the public list.',
    audience: { operator: 'currencies:write' },
    stepUp: true,
    params: byCode,
    reply: operatorCurrency,
    errors: ['currency_unknown'],
  }),
  pause: route({
    method: 'PUT',
    path: '/operator/currencies/:code/pause',
    summary: 'Pauses one currency with a public reason, or resumes it.',
    audience: { operator: 'currencies:write' },
    params: byCode,
    body: z.object({
      paused: z.boolean(),
      reason: z.object({ en: z.string().max(500), ru: z.string().max(500) }).optional(),
    }),
    reply: operatorCurrency,
    errors: ['currency_unknown'],
  }),
  refreshRates: route({
    method: 'POST',
    path: '/operator/currencies/refresh-rates',
    summary: 'Reads dollar prices and sets every rate; names the coins that the answer lacked.',
    audience: { operator: 'currencies:write' },
    reply: z.object({ updated: z.array(z.string()), missing: z.array(z.string()) }),
    errors: ['rates_unavailable'],
  }),
  setEvmWallet: route({
    method: 'PUT',
    path: '/operator/currencies/evm-wallet',
    summary: 'One address for all ERC-20 currencies.',
    audience: { operator: 'currencies:write' },
    stepUp: true,
    body: evmWalletInput,
    reply: z.object({ address: z.string(), codes: z.array(z.string()) }),
    errors: ['private_key_refused', 'address_invalid', 'second_operator_required'],
  }),
} as const
