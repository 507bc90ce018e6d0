import { z } from 'zod'
import { compare } from '../money.ts'
import { chainFamilies, networks, walletFamilies, walletScripts } from '../networks.ts'
import { paymentLacks, paymentStates, refundStates } from '../payment-states.ts'
import { linkToken, resetRequestInput } from './account-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { operatorPaymentRoutes } from './operator-payments.ts'
import { buyerPaymentRoutes, publicPaymentRoutes } from './payments.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath, pageOf, pageQuery } from './route-schemas.ts'

// Public

export const refundsOwed = z.object({
  owedUsd: decimal,
  count: z.number().int(),
  oldestOwedAt: instant.nullable(),
  paidCount: z.number().int(),
  currencies: z.array(
    z.object({
      currency: z.string(),
      amount: decimal,
      usd: decimal,
      count: z.number().int(),
      oldestOwedAt: instant,
    }),
  ),
})

/** Settlement rules from the server, so that pages can't drift. */
export const settlementRules = z.object({
  toleranceShare: decimal,
  toleranceUsd: decimal,
  /** A payment worth less that does not complete its order is neither bought nor owed. */
  leastUsd: decimal,
  confirmWithinHours: z.number().int(),
  chains: z.array(
    z.object({
      network: z.enum(networks),
      confirmations: z.array(
        z.object({ belowUsd: decimal.nullable(), confirmations: z.number().int(), finalized: z.boolean() }),
      ),
    }),
  ),
})

export const refund = z.object({
  id: z.string(),
  currency: z.string(),
  network: z.enum(networks),
  amount: decimal,
  usd: decimal,
  /** The cause: overpaid, late, paid_after_approval, order_rejected, cap_reached, … */
  reason: z.string(),
  state: z.enum(refundStates),
  owedAt: instant,
  /** The deadline if the buyer took the order back. */
  payBy: instant.nullable(),
  address: z.string().nullable(),
  /**
   * The end of changes: afterwards the address counts. Null without an address, after that time, or once the
   * payment is prepared.
   */
  changeableUntil: instant.nullable(),
  transactionId: z.string().nullable(),
  confirmations: z.number().int(),
  paidAt: instant.nullable(),
  /** `operator`: attested by operators. */
  paidVia: z.enum(['chain', 'operator']).nullable(),
  explorerUrl: z.string().nullable(),
})

const debts = z.object({ items: z.array(refund) })
const refundAddress = z.string().trim().min(5).max(200)
const debtAddress = z.object({ network: z.enum(networks), address: refundAddress })

export const publicPaymentSchemas = {
  refundsOwed: {
    summary: 'What is owed to buyers and for how long.',
    reply: refundsOwed,
  },
  rules: {
    summary: 'How payments settle: tolerance, parts, late payments, confirmations.',
    reply: settlementRules,
  },
  requestDebtLink: {
    summary:
      'Mails a link to claim what is owed to a deleted account; answers the same whether anything is or not.',
    cost: { mails: 1 },
    body: resetRequestInput,
    reply: z.void(),
    errors: ['too_many_requests'],
  },
  showDebts: {
    summary: 'What is owed to the deleted accounts of the mailbox that the link went to.',
    body: z.object({ token: linkToken }),
    reply: debts,
    errors: ['too_many_requests', 'link_expired'],
  },
  claimDebts: {
    summary: 'Names one address a chain to which that is sent, and uses the link up.',
    cost: { bodyBytes: 16_384, mails: 1 },
    body: z.object({ token: linkToken, addresses: z.array(debtAddress).min(1).max(networks.length) }),
    reply: debts,
    errors: [
      'too_many_requests',
      'link_expired',
      'refund_state',
      'refund_address_fixed',
      'private_key_refused',
      'address_invalid',
      'refund_address_ours',
    ],
  },
} as const satisfies Record<string, RouteSchemas>
export const publicPaymentEndpoints = endpoints(publicPaymentRoutes, publicPaymentSchemas)

// For buyers

const byToken = z.object({ token: z.string().min(10).max(64) })

/** Quotes of all sources, and their median. */
export const orderRate = z.object({
  currency: z.string(),
  rate: decimal,
  priceUsd: decimal,
  source: z.enum(['manual', 'feed']),
  /** Null before records began. */
  fromAt: instant.nullable(),
  reading: z
    .object({
      priceUsd: decimal.nullable(),
      readAt: instant,
      sources: z.array(
        z.object({
          source: z.string(),
          priceUsd: decimal.nullable(),
          at: instant.nullable(),
          used: z.boolean(),
          problem: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
})

export const buyerPaymentSchemas = {
  refunds: {
    summary: 'What is owed back of one order, and how far it is.',
    params: byToken,
    reply: z.object({ items: z.array(refund) }),
    errors: ['order_unknown'],
  },
  claimRefund: {
    summary: 'Names the address of the same chain to which what is owed is to be sent.',
    params: byToken,
    body: z.object({
      address: refundAddress,
      /** The chain, for an order that is owed money on several. */
      network: z.enum(networks).optional(),
    }),
    reply: z.object({ items: z.array(refund) }),
    errors: [
      'step_up_required',
      'order_unknown',
      'refund_state',
      'refund_address_fixed',
      'private_key_refused',
      'address_invalid',
      'refund_address_ours',
    ],
  },
  rate: {
    summary: 'The quotes of every price source behind an order’s rate.',
    params: byToken,
    reply: orderRate,
    errors: ['order_unknown'],
  },
} as const satisfies Record<string, RouteSchemas>
export const buyerPaymentEndpoints = endpoints(buyerPaymentRoutes, buyerPaymentSchemas)

// For operators

export const operatorChain = z.object({
  network: z.enum(networks),
  family: z.enum(chainFamilies),
  /** True if the environment configures a node. */
  configured: z.boolean(),
  /** The followed node, and the one for second opinions. */
  nodes: z.array(
    z.object({
      place: z.number().int(),
      kind: z.enum(['core', 'esplora', 'evm']),
      /** The rest of the address may be secret. */
      host: z.string(),
      /** The environment has priority. */
      source: z.enum(['environment', 'page']),
      setAt: instant.nullable(),
      setBy: z.string().nullable(),
    }),
  ),
  height: z.number().int().nullable(),
  nodeHeight: z.number().int().nullable(),
  lagBlocks: z.number().int().nullable(),
  finalizedHeight: z.number().int().nullable(),
  polledAt: instant.nullable(),
  leader: z.string().nullable(),
  epoch: z.string(),
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
  failingSince: instant.nullable(),
  stopped: z.boolean(),
  openAddresses: z.number().int(),
  confirmationRules: z.array(
    z.object({
      belowUsd: decimal.nullable(),
      confirmations: z.number().int().min(1),
      finalized: z.boolean(),
    }),
  ),
  /** EVM: refunds are paid from these. */
  refundSenders: z.array(z.string()),
  revision: z.number().int(),
})

const confirmationRules = z
  .array(
    z.object({
      belowUsd: z
        .string()
        // The rules are compared as numbers.
        .regex(/^\d{1,12}(\.\d{1,2})?$/, { abort: true })
        .nullable(),
      confirmations: z.number().int().min(1).max(1000),
      finalized: z.boolean().default(false),
    }),
  )
  .min(1)
  .max(6)
  .refine((rules) => rules.at(-1)?.belowUsd === null, 'last_rule_open')
  .refine(
    (rules) =>
      rules.every(
        (rule, index) =>
          index === 0 ||
          rule.belowUsd === null ||
          compare(rule.belowUsd, rules[index - 1]?.belowUsd ?? '0') > 0,
      ),
    'rule_order',
  )

export const operatorWallet = z.object({
  id: z.number().int(),
  name: z.string(),
  family: z.enum(walletFamilies),
  script: z.enum(walletScripts),
  net: z.enum(['main', 'test', 'regtest']),
  accountKey: z.string(),
  /** Lower address indexes were assigned, or skipped after a restore. */
  nextIndex: z.number().int(),
  highestIndexUsed: z.number().int().nullable(),
  highestIndexPaid: z.number().int().nullable(),
  /** For the operator's own wallet: the longest unpaid run plus a margin. */
  gapLimit: z.number().int(),
  checkedAt: instant.nullable(),
  firstAddresses: z.array(z.string()),
  currencies: z.array(z.string()),
})

export const operatorPayment = z.object({
  id: z.string(),
  network: z.enum(networks),
  transactionId: z.string(),
  address: z.string(),
  asset: z.string(),
  currency: z.string().nullable(),
  amount: decimal,
  state: z.enum(paymentStates),
  confirmations: z.number().int(),
  confirmationsNeeded: z.number().int(),
  /** The condition that a payment lacks for being confirmed or owed back. */
  lacks: z.enum(paymentLacks).nullable(),
  /** True for a valid payment that is neither owed back nor written off. */
  toDecide: z.boolean(),
  blockHeight: z.number().int().nullable(),
  replacedBy: z.string().nullable(),
  orderId: z.number().int().nullable(),
  orderToken: z.string().nullable(),
  userReference: z.string().nullable(),
  credited: decimal,
  owed: decimal,
  seenAt: instant,
  /** Written off by operators. */
  writtenOff: z.object({ at: instant, reason: z.string() }).nullable(),
  explorerUrl: z.string().nullable(),
})

export const operatorRefund = refund.extend({
  orderId: z.number().int().nullable(),
  userReference: z.string(),
  /** Null if only attested by operators. */
  paymentId: z.string().nullable(),
  preparedAt: instant.nullable(),
  /** The last file that contains the refund, and who prepared it. */
  preparedBy: z.string().nullable(),
  fileId: z.string().nullable(),
  /** True a day after the address was named, if the payment is final. */
  isDue: z.boolean(),
  /**
   * Other transfers to its address: a second payment, another amount, or somebody else's transfer of the same
   * amount.
   */
  otherTransfers: z.array(
    z.object({
      transactionId: z.string(),
      amount: decimal,
      /** True if it spends our output or comes from a configured sender. */
      isOurs: z.boolean(),
      blockHeight: z.number().int().nullable(),
      explorerUrl: z.string().nullable(),
    }),
  ),
})

const transactionId = z
  .string()
  .trim()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/)

const writeOffReason = z.string().trim().min(3).max(500)

export const refundFile = z.object({
  id: z.string(),
  network: z.enum(networks),
  format: z.enum(['psbt', 'csv']),
  fileName: z.string(),
  preparedBy: z.string().nullable(),
  preparedAt: instant,
  refundIds: z.array(z.string()),
})

const byNetwork = z.object({ network: z.enum(networks) })
const byNumber = z.object({ id: numberInPath })
const walletInput = z.object({
  family: z.enum(walletFamilies),
  accountKey: z.string().trim().min(1).max(500),
  script: z.enum(walletScripts).optional(),
})

export const operatorPaymentSchemas = {
  chains: {
    summary: 'Each chain that is followed: height, lag, last error, who follows it.',
    reply: z.object({ items: z.array(operatorChain) }),
  },
  setConfirmations: {
    summary: 'How many confirmations an order of which size waits for; payments seen from then on follow it.',
    params: byNetwork,
    body: z.object({ rules: confirmationRules, revision: z.number().int().optional() }),
    reply: operatorChain,
    errors: ['chain_unknown', 'conflict'],
  },
  resumeChain: {
    summary: 'Lets a chain that stopped at a broken invariant go on, after somebody looked.',
    params: byNetwork,
    reply: operatorChain,
    errors: ['chain_unknown'],
  },
  wallets: {
    summary: 'Watch-only wallets: highest index in use and the gap limit to set.',
    reply: z.object({ items: z.array(operatorWallet) }),
  },
  addWallet: {
    summary: 'Takes an account public key. No order gets its addresses before the first three are confirmed.',
    body: walletInput.extend({ name: z.string().trim().min(1).max(60) }),
    reply: operatorWallet,
    errors: ['private_key_refused', 'chain_not_followed', 'account_key_invalid', 'account_key_network'],
  },
  checkWallet: {
    summary:
      'The first three addresses as the operator’s own wallet shows them; where they agree the key may go live.',
    params: byNumber,
    body: z.object({ addresses: z.array(z.string().trim().min(5).max(200)).length(3) }),
    reply: operatorWallet,
    errors: ['wallet_unknown', 'wallet_addresses_differ'],
  },
  setCurrencyWallet: {
    summary:
      'Gives each order of a currency its own address of a wallet, or (null) goes back to the fixed address.',
    params: z.object({ code: z.string().trim().min(2).max(12) }),
    body: z.object({
      walletId: z.int32().positive().nullable(),
      /** The revision that was shown; left out: any. */
      revision: z.number().int().optional(),
    }),
    reply: z.object({ code: z.string(), watched: z.boolean(), walletId: z.number().int().nullable() }),
    errors: [
      'currency_unknown',
      'wallet_unknown',
      'currency_in_escrow',
      'wallet_not_checked',
      'token_contract_missing',
      'token_decimals',
      'token_decimals_differ',
      'chain_not_followed',
      'account_key_network',
      'conflict',
    ],
  },
  payments: {
    summary:
      'Every payment that chains showed, newest first; `toDecide` for those that belong to no order or are of another asset.',
    query: pageQuery.extend({
      toDecide: z.stringbool().optional(),
      state: z.enum(paymentStates).optional(),
      network: z.enum(networks).optional(),
      search: z.string().trim().max(200).optional(),
    }),
    reply: pageOf(operatorPayment),
  },
  attachPayment: {
    summary:
      'Gives a payment that belongs to no order to one of the same currency, made before it was seen. The rules judge it like any other.',
    params: byNumber,
    body: z.object({ orderId: z.number().int().positive() }),
    reply: operatorPayment,
    errors: ['order_unknown', 'payment_unknown', 'payment_state', 'order_state'],
  },
  refundPayment: {
    summary:
      'Owes an unmatched payment, or one of another listed asset, back to the buyer whose address it reached.',
    params: byNumber,
    reply: operatorPayment,
    errors: ['payment_unknown', 'payment_state'],
  },
  writeOffPayment: {
    summary: 'Decides that nothing is to be done about a payment that belongs to nobody, and says why.',
    params: byNumber,
    body: z.object({ reason: writeOffReason }),
    reply: operatorPayment,
    errors: ['payment_unknown', 'payment_state'],
  },
  refunds: {
    summary: 'Refunds, those still due first, oldest first.',
    query: pageQuery.extend({ state: z.enum(refundStates).optional(), network: z.enum(networks).optional() }),
    reply: pageOf(operatorRefund),
  },
  prepareRefunds: {
    summary:
      'What the operator signs in their own wallet: an unsigned PSBT (Bitcoin family with segwit) or a CSV to import.',
    body: z.object({
      network: z.enum(networks),
      format: z.enum(['psbt', 'csv']),
      refundIds: z
        .array(z.string().regex(/^\d{1,18}$/))
        .max(500)
        .optional(),
      /** Signing both files pays twice. */
      again: z.boolean().optional(),
      feePerVbyte: z.number().int().min(1).max(10_000).optional(),
    }),
    reply: z.object({
      format: z.enum(['psbt', 'csv']),
      fileName: z.string(),
      content: z.string(),
      count: z.number().int(),
      refundIds: z.array(z.string()),
      fileId: z.string(),
      /** A PSBT can't pay these: nodes relay no such small output. */
      leftOut: z.array(z.string()),
    }),
    errors: ['refund_unknown', 'refund_prepared', 'refund_too_small', 'refund_funds_missing'],
  },
  refundSent: {
    summary:
      'Names the transaction that sends a refund, where the chain’s watcher has not found it by itself.',
    params: byNumber,
    body: z.object({ transactionId }),
    reply: operatorRefund,
    errors: ['refund_unknown', 'conflict', 'refund_state'],
  },
  refundPaid: {
    summary:
      'Says that a refund was paid by a transaction which the watcher can’t match: from inside a contract, or less a fee.',
    params: byNumber,
    body: z.object({ transactionId, reason: z.string().trim().min(3).max(500) }),
    reply: operatorRefund,
    errors: ['refund_unknown', 'conflict', 'refund_state'],
  },
  refundFiles: {
    summary: 'The files that were prepared last, with the refunds that each holds.',
    reply: z.object({ items: z.array(refundFile) }),
  },
  refundFile: {
    summary: 'A prepared file as it was downloaded first.',
    params: byNumber,
    reply: z.object({ fileName: z.string(), content: z.string() }),
    errors: ['refund_file_unknown'],
  },
  setRefundSenders: {
    summary:
      'The addresses of an EVM chain that refunds are paid from; a matching transfer of theirs pays a refund.',
    params: byNetwork,
    body: z.object({
      addresses: z
        .array(
          z
            .string()
            .trim()
            .regex(/^0x[0-9a-fA-F]{40}$/),
        )
        .max(20),
      /** The revision that was shown; left out: any. */
      revision: z.number().int().optional(),
    }),
    reply: z.object({ network: z.enum(networks), refundSenders: z.array(z.string()) }),
    errors: ['chain_unknown', 'conflict'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorPaymentEndpoints = endpoints(operatorPaymentRoutes, operatorPaymentSchemas)
