import { z } from 'zod'
import { escrowOrderStates, escrowStates } from '../escrow-state.ts'
import { networks } from '../networks.ts'
import { keptName } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { release, unlocking, unsignedCall, unsignedCalls } from './contract-schemas.ts'
import { deliveryEscrowRoutes } from './delivery-escrows.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

/** An order that was paid into an escrow, with what can be done of it now. */
export const escrowOrder = z.object({
  stage: keptName,
  network: z.enum(networks),
  chainId: z.number().int(),
  escrow: z.string(),
  token: z.string(),
  orderId: z.string(),
  /** Gets a refund. */
  payer: z.string(),
  /** Gets the tokens. */
  beneficiary: z.string(),
  currency: z.string(),
  paid: decimal,
  tokens: decimal,
  /** The last moment in which the round can be delivered. */
  deliverBy: instant,
  ...release,
  /** What the newest block shows; null while no node answers. */
  chain: z
    .object({
      height: z.number().int(),
      minedAt: instant,
      round: z.enum(escrowStates),
      order: z.enum(escrowOrderStates),
      /** The order's state in the newest final block. */
      orderInFinal: z.enum(escrowOrderStates),
      /** Null before the delivery. */
      deliveredAt: instant.nullable(),
      ...unlocking,
    })
    .nullable(),
  /** What the escrow would do now, for whoever sends it: tokens to the beneficiary, or the money to the payer; null: neither. */
  call: unsignedCall.extend({ what: z.enum(['claim', 'refund']) }).nullable(),
})

/** An escrow that is in force, and what the last look at it in a final block showed. */
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
  /** From when anybody can deliver, and not the seller alone. */
  anyoneFrom: instant,
  look: z
    .object({
      height: z.number().int(),
      blockHash: z.string(),
      minedAt: instant,
      lookedAt: instant,
      /** Null where something else stands there. */
      state: z.enum(escrowStates).nullable(),
      locked: z.boolean(),
      deliveredAt: instant.nullable(),
      /** Tokens of all live orders, as the contract says. */
      owed: decimal,
      /** The same as the ledger says, of that block. */
      promised: decimal,
      claimed: decimal,
      /** Tokens that lie there. */
      held: decimal,
      /** Tokens there that nobody is owed: they go to the treasury once the round is over. */
      leftover: decimal,
      /** Money by asset: what live orders paid, and what of it lies there still. */
      money: z.array(z.object({ asset: z.string(), currency: z.string(), paid: decimal, held: decimal })),
      /** What became of the orders that it took, by that block: their number, tokens and money. */
      orders: z.array(
        z.object({
          /** `overdue`: nothing was delivered in time, and the money lies there for its payers; `returned`: it is its payer’s, sent back or not yet. */
          state: z.enum(['escrowed', 'delivered', 'overdue', 'returned']),
          count: z.number().int(),
          tokens: decimal,
          money: z.array(z.object({ currency: z.string(), amount: decimal })),
        }),
      ),
      fault: z.enum(['other_code', 'owes_strangers', 'owes_less', 'short']).nullable(),
      /** Why the newest look failed, an error's code, and since when none has succeeded; the rest is what the last one showed. */
      failure: z.string().nullable(),
      failingSince: instant.nullable(),
    })
    .nullable(),
  /** What anybody may send to deliver it; null where nobody can, or where it needs tokens that are not there. */
  deliver: unsignedCall.nullable(),
  /** What the seller's wallet sends to deliver it, in this order: what lacks of the tokens is allowed first. */
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
