import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { decimal } from './amount-inputs.ts'
import { instant } from './route-schemas.ts'

/** How delivered tokens are released. */
export const release = {
  startBps: z.number().int(),
  cliffSeconds: z.number().int(),
  linearSeconds: z.number().int(),
}

/** Why a chain cannot be read. */
export const chainRefusals = [
  'chain_not_followed',
  'node_other_network',
  'nodes_disagree',
  'node_silent',
] as const satisfies readonly ErrorCode[]

/** What one block shows of a contract. */
export const contractLook = <Fault extends ErrorCode>(faults: readonly [Fault, ...Fault[]]) =>
  z.object({
    height: z.number().int(),
    hash: z.string(),
    minedAt: instant,
    fault: z.enum(faults).nullable(),
    /** The fault as a sentence. */
    message: z.string().nullable(),
    /** Tokens that lie in it. */
    balance: decimal,
  })

/** What a contract has unlocked and paid out for one holder. */
export const unlocking = {
  unlocked: decimal,
  /** In the newest final block. */
  claimed: decimal,
  /** In the newest block, which may not stay. */
  claimedNow: decimal,
  /** What a claim would send now. */
  due: decimal,
}

export const unsignedCall = z.object({
  to: z.string(),
  /** In the network's own coin: nothing is ever sent along. */
  value: z.literal('0'),
  data: z.string(),
})

/** Transactions that are left to be signed, in this order. */
export const unsignedCalls = <What extends string>(whats: readonly [What, ...What[]]) =>
  z.array(unsignedCall.extend({ what: z.enum(whats) }))
