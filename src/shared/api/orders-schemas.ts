import { z } from 'zod'
import { countryCode } from '../campaign-settings-inputs.ts'
import { networks } from '../networks.ts'
import { orderActions, orderDetails, orderStatuses, orderViews } from '../order-states.ts'
import { amountInput, coinInput, decimal } from './amount-inputs.ts'
import { operatorOrderRoutes, orderRoutes } from './orders.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath, pageOf, pageQuery } from './route-schemas.ts'

export const purchaseInput = z.object({
  currency: z.string().trim().min(2).max(12),
  amount: amountInput,
  unit: z.enum(['token', 'crypto']),
})

export const orderEscrow = z.object({
  contract: z.string(),
  chainId: z.number().int(),
  /** Pays, and receives the tokens or the refund. */
  payer: z.string(),
  /** No payments from here on. */
  closesAt: instant,
  /** After it anybody can send the money of undelivered tokens back to the payer. */
  deliverBy: instant,
  locksFirst: z.boolean(),
})

export const purchaseAmounts = z.object({
  currency: z.string(),
  baseTokens: decimal,
  bonusTokens: decimal,
  bonusPercent: decimal,
  levelKey: z.string(),
  receiveTokens: decimal,
  cryptoAmount: decimal,
  usd: decimal,
  priceUsd: decimal,
  rate: decimal,
})

export const orderInput = purchaseInput.extend({
  /** The terms that the buyer saw. The order is rejected if they changed. Left out: any. */
  shown: z.object({ rate: decimal, priceUsd: decimal }).optional(),
  /** The account that pays and receives the tokens; required for a currency with escrow. */
  payer: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  acceptTerms: z.boolean(),
  termsVersion: z.number().int().optional(),
  risksVersion: z.number().int().optional(),
  country: countryCode.optional(),
  ageConfirmed: z.boolean().optional(),
})

export const orderEvent = z.object({
  at: instant,
  kind: z.string(),
  /** `buyer`, `chain`, `system` or an operator's login. */
  actor: z.string(),
  details: z.record(z.string(), z.unknown()),
})

export const orderPayment = z.object({
  id: z.string(),
  transactionId: z.string(),
  amount: decimal,
  /** Null for an unlisted token, which has no value here. */
  currency: z.string().nullable(),
  state: z.string(),
  confirmations: z.number().int(),
  confirmationsNeeded: z.number().int(),
  seenAt: instant,
  explorerUrl: z.string().nullable(),
})

/** Payments beyond the 100 listed: their number, and their sums in the order's currency. */
const otherPayments = z
  .object({
    count: z.number().int(),
    /** Received or pending. */
    amount: decimal,
    /** Of that, too little to buy or to send back. */
    tooLittle: decimal,
  })
  .nullable()

/** `number` is for people; `token` opens the order's page. */
export const buyerOrder = z.object({
  number: z.number().int(),
  token: z.string(),
  status: z.enum(orderStatuses),
  detail: z.enum(orderDetails),
  currency: z.string(),
  network: z.enum(networks),
  watched: z.boolean(),
  address: z.string(),
  /** For the amount to send now, all or the rest; null and empty if nothing can be sent. */
  walletUri: z.string().nullable(),
  qrText: z.string(),
  /** Null if it is paid to an address. */
  escrow: orderEscrow.nullable(),
  /** The amount asked while pending, bought once approved, like the tokens and dollars below. */
  cryptoAmount: decimal,
  /** The amount asked, however much of it is bought. */
  askedAmount: decimal,
  askedTokens: decimal,
  baseTokens: decimal,
  bonusTokens: decimal,
  bonusPercent: decimal,
  receiveTokens: decimal,
  usd: decimal,
  priceUsd: decimal,
  rate: decimal,
  transactionId: z.string().nullable(),
  /** The buyer's other orders with the transaction, which pays for only one. */
  sameTransaction: z.array(z.number().int()),
  /** True while room is reserved for its dollars and tokens. */
  held: z.boolean(),
  /** When the payment was reported or first seen. */
  sentAt: instant.nullable(),
  withdrawnByOperator: z.boolean(),
  approvedVia: z.enum(['chain', 'operator']).nullable(),
  /** Versions of the legal texts; null if not recorded. */
  acceptedTexts: z.object({ terms: z.number().int(), risks: z.number().int() }).nullable(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
  approvedAt: instant.nullable(),
  /** The end of the right to take the order back. Null without that right, or if nothing is bought. */
  moneyBackUntil: instant.nullable(),
  actions: z.array(z.enum(orderActions)),
  /** At most 100 events. */
  events: z.array(orderEvent),
  /** At most 100: those that bought or are owed, those on their way, then the newest. */
  payments: z.array(orderPayment),
  others: otherPayments,
})

export const orderRow = buyerOrder.omit({
  sameTransaction: true,
  events: true,
  payments: true,
  others: true,
  walletUri: true,
  qrText: true,
  escrow: true,
})

const byToken = z.object({ token: z.string().min(10).max(64) })

/** The proof's format is in docs/journal.md. */
export const orderProof = z.object({
  /** A .tlog-proof; null before the approval, and until the journal records it. */
  proof: z.string().nullable(),
  /** Null before the journal begins. */
  vkey: z.string().nullable(),
  /** Verifier keys of the journal's witnesses. */
  witnesses: z.array(z.string()),
})

/** The file's format is in docs/journal.md. */
export const addressProof = z.object({
  /**
   * `announced`: an address of a wallet in the journal. `fixed`: the journal's one address for all orders of
   * the currency. `other`: the journal announced another address for this number, or the wallet's key gives
   * another one; nobody should pay there. `escrow`: paid to a contract. `unsaid`: not in the journal, or not
   * yet.
   */
  state: z.enum(['announced', 'fixed', 'other', 'escrow', 'unsaid']),
  /** When the journal announced it; for a fixed address, the start of its unbroken use up to the order. */
  announcedAt: z.string().nullable(),
  file: z.string().nullable(),
  vkey: orderProof.shape.vkey,
  witnesses: orderProof.shape.witnesses,
})

const saleRefusals = [
  'sale_not_ready',
  'sale_paused',
  'stage_not_started',
  'stage_closed',
  'currency_unknown',
  'currency_off',
  'currency_paused',
  'rate_stale',
  'escrow_missing',
  'address_missing',
  'amount_invalid',
  'amount_below_minimum',
  'amount_above_maximum',
  'cap_reached',
  'supply_reached',
] as const

export const orderSchemas = {
  preview: {
    summary: 'What a purchase would give and cost now. Changes nothing.',
    cost: { statements: 8 },
    body: purchaseInput,
    reply: purchaseAmounts,
    errors: saleRefusals,
  },
  create: {
    summary:
      'Makes an order, and gives it an address of its own where the currency has a wallet. It locks rate, price and level until it expires, and reserves no tokens: the payment does.',
    body: orderInput,
    reply: z.object({
      number: z.number().int(),
      token: z.string(),
      address: z.string(),
      cryptoAmount: decimal,
      expiresAt: instant,
    }),
    errors: [
      'terms_not_accepted',
      'declaration_missing',
      'country_refused',
      'idempotency_key_reused',
      ...saleRefusals,
      'price_changed',
      'phone_required',
      'email_unconfirmed',
      'escrow_payer_missing',
      'delivery_address_ours',
      'session_ended',
      'terms_changed',
      'too_many_requests',
      'conflict',
    ],
  },
  list: {
    summary: 'The buyer’s own orders, all states, newest first.',
    query: pageQuery,
    reply: pageOf(orderRow),
  },
  open: {
    summary:
      'The buyer’s own orders that are not over, newest first: neither credited, rejected, paid back nor withdrawn. One that nobody paid is among them for 7 days after its end.',
    reply: z.object({ items: z.array(orderRow) }),
  },
  show: {
    summary: 'One of the buyer’s own orders with its timeline.',
    params: byToken,
    reply: buyerOrder,
    errors: ['order_unknown'],
  },
  proof: {
    summary: 'Proves that the approval of one of the buyer’s own orders stands in the public journal.',
    params: byToken,
    reply: orderProof,
    errors: ['order_unknown'],
  },
  addressProof: {
    summary:
      'Proves that the public journal announced the address that one of the buyer’s own orders is paid to.',
    params: byToken,
    reply: addressProof,
    errors: ['order_unknown'],
  },
  noteSent: {
    summary:
      'Notes that the buyer has sent the payment: from now on operators, mails and webhooks know of the order. Once.',
    params: byToken,
    reply: buyerOrder,
    errors: ['order_unknown'],
  },
  takeBack: {
    summary:
      'Takes back all that was bought with an order while its days last; what was paid is owed back. No reason is asked for, and a repeat changes nothing.',
    params: byToken,
    reply: buyerOrder,
    errors: ['order_unknown', 'money_back_over', 'tokens_allocated'],
  },
  setTransactionId: {
    summary:
      'Tells the operator which payment is meant. Several pending orders may name one; an approved order owns it.',
    params: byToken,
    body: z.object({
      transactionId: z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9:_-]{8,128}$/, 'transaction_id_format'),
    }),
    reply: buyerOrder,
    errors: ['order_unknown', 'transaction_id_not_needed', 'order_state', 'transaction_id_taken'],
  },
} as const satisfies Record<string, RouteSchemas>
export const orderEndpoints = endpoints(orderRoutes, orderSchemas)

export const operatorOrder = z.object({
  id: z.number().int(),
  token: z.string(),
  status: z.enum(orderStatuses),
  detail: z.enum(orderDetails),
  hidden: z.boolean(),
  held: z.boolean(),
  watched: z.boolean(),
  network: z.enum(networks),
  currency: z.string(),
  /** The amount asked while pending, bought once approved, like the tokens and dollars below. */
  cryptoAmount: decimal,
  /** The amount asked, however much of it is bought. */
  askedAmount: decimal,
  askedTokens: decimal,
  address: z.string(),
  email: z.string(),
  userId: z.number().int(),
  userReference: z.string(),
  baseTokens: decimal,
  bonusTokens: decimal,
  receiveTokens: decimal,
  usd: decimal,
  stageId: z.number().int(),
  /** As submitted by the buyer. */
  transactionId: z.string().nullable(),
  /** The sender of its first payment on the chain. */
  paidBy: z.string().nullable(),
  /** As declared by the buyer. */
  country: z.string().nullable(),
  approvedVia: z.enum(['chain', 'operator']).nullable(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
  approvedAt: instant.nullable(),
  actions: z.array(z.enum(orderActions)),
  /** Why it can't be approved now, or with the first two reasons not rejected either. */
  withheld: z
    .enum([
      'order_signed',
      'order_in_escrow',
      'order_on_chain',
      'soft_cap_missed',
      'user_unknown',
      'approval_over',
    ])
    .nullable(),
})

export const operatorOrderPage = operatorOrder.extend({
  bonusPercent: decimal,
  priceUsd: decimal,
  rate: decimal,
  /** Other orders with the transaction; only one can be approved. */
  sameTransaction: z.array(z.number().int()),
  declarations: z.record(z.string(), z.unknown()),
  events: z.array(orderEvent),
  payments: z.array(orderPayment),
  others: otherPayments,
  entries: z.array(
    z.object({
      posting: z.string(),
      kind: z.string(),
      account: z.string(),
      asset: z.string(),
      amount: decimal,
      at: instant,
    }),
  ),
})

const byId = z.object({ id: numberInPath })
const decision = z.object({ reason: z.string().trim().max(500).optional() })
export const decisionAsSeen = decision.extend({
  /** The status that was shown; an order with another one stays unchanged. Left out: any. */
  status: z.enum(orderStatuses).optional(),
})

export const operatorOrderQuery = pageQuery.extend({
  view: z.enum(orderViews).optional(),
  /** One status, or several separated by commas. */
  status: z
    .string()
    .max(60)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(orderStatuses)).min(1))
    .optional(),
  search: z.string().trim().max(200).optional(),
  sort: z.enum(['created', 'updated', 'status']).default('created'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  hidden: z.stringbool().optional(),
  /** The buyer by id, because a deleted account has no e-mail address. */
  user: numberInPath.optional(),
  /** Made from (inclusive) and to (exclusive). */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  currency: z.string().trim().max(12).optional(),
  /** In dollars, inclusive. */
  usdMin: amountInput.optional(),
  usdMax: amountInput.optional(),
  via: z.enum(['chain', 'operator']).optional(),
  mailbox: z.enum(['confirmed', 'unconfirmed']).optional(),
  /** The level that set the order's bonus. */
  level: z.string().trim().max(40).optional(),
  country: countryCode.optional(),
})
/** Filters of the list and its export. */
export const operatorOrderFilter = operatorOrderQuery.omit({
  after: true,
  limit: true,
  sort: true,
  direction: true,
})

/** `isMore` if the count's bound was reached. */
const boundedCount = z.object({ count: z.number().int(), isMore: z.boolean() })
export const orderCounts = z.object({
  waiting: boundedCount,
  with_transaction_id: boundedCount,
  seen: boundedCount,
  odd: boundedCount,
  approved: boundedCount,
  all: boundedCount,
})

export const operatorOrderSchemas = {
  list: {
    summary:
      'Orders by page, filter and search (exact id, token, transaction id; prefix of e-mail or address). A page may hold fewer than asked for, or none, and still have a next one: filters look through 4,000 orders at a time.',
    query: operatorOrderQuery,
    reply: pageOf(operatorOrder),
  },
  counts: {
    summary: 'How many orders each tab of the queue holds, counted up to 1,000.',
    reply: orderCounts,
  },
  show: {
    summary: 'One order: everything that happened to it, who did it, and its ledger entries.',
    params: byId,
    reply: operatorOrderPage,
    errors: ['order_unknown'],
  },
  approve: {
    summary:
      'Approves an order at a fixed address and credits it exactly once. A repeat answers what stands. Other orders are approved by their chain alone.',
    params: byId,
    body: decisionAsSeen,
    reply: operatorOrder,
    errors: [
      'order_changed',
      'order_unknown',
      'order_on_chain',
      'soft_cap_missed',
      'order_state',
      'user_unknown',
      'approval_over',
      'transaction_id_taken',
      'cap_reached',
      'supply_reached',
    ],
  },
  reject: {
    summary:
      'Rejects an order for good; an approved one is debited exactly what was credited, and what came for it is owed back.',
    params: byId,
    body: decisionAsSeen.extend({
      /**
       * The amount that arrived at a fixed address, in the order’s coin; left out: the approved amount, else
       * nothing.
       */
      came: coinInput.optional(),
    }),
    reply: operatorOrder,
    errors: [
      'order_changed',
      'order_on_chain',
      'order_in_escrow',
      'order_signed',
      'order_unknown',
      'order_state',
      'tokens_allocated',
    ],
  },
  hide: {
    summary: 'Takes an order off the operators’ default lists; its buyer still sees it.',
    params: byId,
    body: decision,
    reply: operatorOrder,
    errors: ['order_unknown', 'order_not_hidable'],
  },
  unhide: {
    summary: 'Puts a hidden order back on the lists.',
    params: byId,
    reply: operatorOrder,
    errors: ['order_unknown'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorOrderEndpoints = endpoints(operatorOrderRoutes, operatorOrderSchemas)
