import { z } from 'zod'
import { escrowOrderStates, escrowStates } from '../escrow-state.ts'
import { networks } from '../networks.ts'
import { keptName } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { release, unlocking, unsignedCall, unsignedCalls } from './contract-schemas.ts'
import { deliveryEscrowRoutes } from './delivery-escrows.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

export const escrowOrder = z.object({
  stage: keptName,
  network: z.enum(networks),
  chainId: z.number().int(),
  escrow: z.string(),
  token: z.string(),
  orderId: z.string(),
  /** Receives a refund. */
  payer: z.string(),
  /** Receives the tokens. */
  beneficiary: z.string(),
  currency: z.string(),
  paid: decimal,
  tokens: decimal,
  deliverBy: instant,
  ...release,
  /** Null if no node answers. */
  chain: z
    .object({
      height: z.number().int(),
      minedAt: instant,
      round: z.enum(escrowStates),
      order: z.enum(escrowOrderStates),
      /** The state in the newest final block. */
      orderInFinal: z.enum(escrowOrderStates),
      /** Null before delivery. */
      deliveredAt: instant.nullable(),
      ...unlocking,
    })
    .nullable(),
  /** The call that the escrow accepts now from anybody: tokens to the beneficiary or money to the payer. */
  call: unsignedCall.extend({ what: z.enum(['claim', 'refund']) }).nullable(),
})

/** The escrow with its last observed state in a final block. */
export const deliveryEscrow = z.object({
  stage: keptName,
  network: z.enum(networks),
  chainId: z.number().int(),
  address: z.string(),
  token: z.string(),
  treasury: z.string(),
  capTokens: decimal,
  closesAt: instant,
  deliverBy: instant,
  /** From then on not only the seller may deliver. */
  anyoneFrom: instant,
  look: z
    .object({
      height: z.number().int(),
      blockHash: z.string(),
      minedAt: instant,
      lookedAt: instant,
      /** Null if another contract is at the address. */
      state: z.enum(escrowStates).nullable(),
      locked: z.boolean(),
      deliveredAt: instant.nullable(),
      /** Tokens that the contract owes for live orders. */
      owed: decimal,
      /** Tokens that the ledger owes for these orders at that block. */
      promised: decimal,
      claimed: decimal,
      /** Tokens in the contract. */
      held: decimal,
      /** Tokens in the contract, owed to nobody; for the treasury after the round. */
      leftover: decimal,
      /** Money by asset: paid for live orders, and still in the contract. */
      money: z.array(z.object({ asset: z.string(), currency: z.string(), paid: decimal, held: decimal })),
      /** Orders by state at that block. */
      orders: z.array(
        z.object({
          /** `overdue`: not delivered in time, refundable; `returned`: the payer's, sent back or not yet. */
          state: z.enum(['escrowed', 'delivered', 'overdue', 'returned']),
          count: z.number().int(),
          tokens: decimal,
          money: z.array(z.object({ currency: z.string(), amount: decimal })),
        }),
      ),
      fault: z.enum(['other_code', 'owes_strangers', 'owes_less', 'short']).nullable(),
      /** The error code of the newest poll; the other fields are from the last success. */
      failure: z.string().nullable(),
      failingSince: instant.nullable(),
    })
    .nullable(),
  deliver: unsignedCall.nullable(),
  /** Calls of the seller's wallet, in order; a missing token allowance comes first. */
  sellerDelivers: unsignedCalls(['approve', 'deliver']),
})

export const deliveryEscrowSchemas = {
  list: {
    summary: 'Every escrow in force, with what its chain shows in a final block.',
    reply: z.object({ items: z.array(deliveryEscrow) }),
  },
  own: {
    summary: 'Own orders that were paid into escrows, and the transaction that claims or refunds each.',
    reply: z.object({ items: z.array(escrowOrder) }),
  },
} as const satisfies Record<string, RouteSchemas>
export const deliveryEscrowEndpoints = endpoints(deliveryEscrowRoutes, deliveryEscrowSchemas)
