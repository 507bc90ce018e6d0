import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { networks } from '../networks.ts'
import { keptName } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { chainRefusals, contractLook, release, unsignedCall, unsignedCalls } from './contract-schemas.ts'
import { escrowRoutes, orderEscrowRoutes } from './escrows.ts'
import { escrowInput } from './escrows-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

export const escrowFaults = [
  'escrow_token_unknown',
  'escrow_not_made',
  'escrow_not_open',
  'escrow_other_key',
  'escrow_not_locked',
] as const satisfies readonly ErrorCode[]

export const operatorEscrow = z.object({
  number: z.number().int(),
  state: z.enum(['announced', 'withdrawn', 'in_force']),
  stageId: z.number().int(),
  stage: keptName,
  network: z.enum(networks),
  chainId: z.number().int(),
  /** The present or future address, which commits to its code and all terms. */
  address: z.string(),
  token: z.string(),
  seller: z.string(),
  treasury: z.string(),
  /** The initial key that signs quotes. */
  quoteKey: z.string(),
  capTokens: decimal,
  closesAt: instant,
  deliverBy: instant,
  reviewSeconds: z.number().int(),
  locksFirst: z.boolean(),
  ...release,
  /** The zero address is the native coin. */
  assets: z.array(z.string()),
  currencies: z.array(z.string()),
  announcedAt: instant,
  inForceAt: instant.nullable(),
})

const look = contractLook(escrowFaults).extend({ isLocked: z.boolean() })

export const escrowContract = z.object({
  network: z.enum(networks),
  chainId: z.number().int(),
  address: z.string(),
  /** The chain lacks the factory's deployer. */
  lacksDeployer: z.boolean(),
  calls: unsignedCalls(['factory', 'make', 'set-key', 'approve', 'lock']),
  latest: look,
  final: look,
})

const byNumber = z.object({ number: numberInPath })

export const escrowSchemas = {
  list: {
    summary: 'Every escrow of a stage, the newest first, and the key that signs their quotes.',
    reply: z.object({
      items: z.array(operatorEscrow),
      /** Null before the first escrow is announced. */
      quoteKey: z.string().nullable(),
    }),
  },
  announce: {
    summary: 'Fixes the terms of a stage’s escrow, from which its address follows.',
    body: escrowInput,
    reply: operatorEscrow,
    errors: [
      'delivery_chain_missing',
      'delivery_token_missing',
      'address_invalid',
      'delivery_address_ours',
      'currency_unknown',
      'escrow_currency',
      'not_found',
      'stage_closed',
      'escrow_money_back',
      'escrow_open',
      'escrow_times',
    ],
  },
  withdraw: {
    summary: 'Takes the announced terms of an escrow back.',
    params: byNumber,
    reply: operatorEscrow,
    errors: ['escrow_unknown', 'escrow_state'],
  },
  contract: {
    summary: 'What its chain shows of an escrow, and the transactions that are left to be signed.',
    params: byNumber,
    reply: escrowContract,
    errors: ['escrow_unknown', ...chainRefusals],
  },
  enter: {
    summary: 'Puts an escrow in force by what a final block shows of it.',
    params: byNumber,
    reply: operatorEscrow,
    errors: [
      'escrow_unknown',
      'escrow_state',
      ...chainRefusals,
      'distributor_reorganised',
      ...escrowFaults,
      'escrow_money_back',
    ],
  },
  key: {
    summary: 'Replaces the key that signs quotes, at once.',
    reply: z.object({ address: z.string() }),
  },
} as const satisfies Record<string, RouteSchemas>
export const escrowEndpoints = endpoints(escrowRoutes, escrowSchemas)

/** The state in the newest block; `none`: not paid there. */
export const escrowOrder = z.object({
  round: z.enum(['open', 'closed', 'delivered', 'refunding']),
  order: z.enum(['none', 'paid', 'cancelled', 'refunded']),
  height: z.number().int(),
})

/** The transactions are in order; the contract accepts them from the payer only. */
export const signedQuote = z.object({
  chainId: z.number().int(),
  payer: z.string(),
  validUntil: instant,
  calls: z.array(
    z.object({
      what: z.enum(['approve-none', 'approve', 'pay']),
      to: z.string(),
      /** In the native coin's smallest unit. */
      value: z.string(),
      data: z.string(),
    }),
  ),
  /**
   * A permit (EIP-712, as JSON) in place of an approval transaction. Null if the token does not support
   * ERC-2612, or the allowance already suffices.
   */
  permit: z.string().nullable(),
})

const byToken = z.object({ token: z.string().min(10).max(64) })
const orderRefusals = ['order_unknown', 'order_not_escrowed', ...chainRefusals] as const
const signRefusals = [
  ...orderRefusals,
  'escrow_not_open',
  'escrow_not_locked',
  'escrow_other_key',
  'order_state',
  'email_unconfirmed',
  'order_signed',
  'too_many_requests',
  'escrow_full',
  'cap_reached',
  'supply_reached',
] as const

export const orderEscrowSchemas = {
  show: {
    summary: 'What its escrow says of one of the buyer’s own orders.',
    params: byToken,
    reply: escrowOrder,
    errors: orderRefusals,
  },
  sign: {
    summary: 'Signs the quote of an order for its payer, and says what the wallet has to send.',
    params: byToken,
    reply: signedQuote,
    errors: signRefusals,
  },
  permit: {
    summary: 'As `sign`, with the payer’s permit in the payment itself: one transaction is left to send.',
    params: byToken,
    body: z.object({ signature: z.string().max(200) }),
    reply: signedQuote,
    errors: [...signRefusals, 'permit_wrong'],
  },
  cancelling: {
    summary: 'What the seller signs to take an order out of its escrow.',
    params: z.object({ id: numberInPath }),
    reply: escrowOrder.extend({
      network: z.enum(networks),
      chainId: z.number().int(),
      contract: z.string(),
      seller: z.string(),
      payer: z.string(),
      /** Null if there is nothing to cancel. */
      call: unsignedCall.extend({ what: z.literal('cancel-order') }).nullable(),
    }),
    errors: orderRefusals,
  },
} as const satisfies Record<string, RouteSchemas>
export const orderEscrowEndpoints = endpoints(orderEscrowRoutes, orderEscrowSchemas)
