import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { decimal } from './amount-inputs.ts'
import { instant } from './route-schemas.ts'

export const release = {
  startBps: z.number().int(),
  cliffSeconds: z.number().int(),
  linearSeconds: z.number().int(),
}

export const chainRefusals = [
  'chain_not_followed',
  'node_other_network',
  'nodes_disagree',
  'node_silent',
] as const satisfies readonly ErrorCode[]

export const contractLook = <Fault extends ErrorCode>(faults: readonly [Fault, ...Fault[]]) =>
  z.object({
    height: z.number().int(),
    hash: z.string(),
    minedAt: instant,
    fault: z.enum(faults).nullable(),
    message: z.string().nullable(),
    balance: decimal,
  })

/** The tokens of one holder. */
export const unlocking = {
  unlocked: decimal,
  /** In the newest final block. */
  claimed: decimal,
  /** In the newest block, which a reorg may remove. */
  claimedNow: decimal,
  due: decimal,
}

export const unsignedCall = z.object({
  to: z.string(),
  /** In the native coin; calls never send any. */
  value: z.literal('0'),
  data: z.string(),
})

/** The remaining transactions in signing order. */
export const unsignedCalls = <What extends string>(whats: readonly [What, ...What[]]) =>
  z.array(unsignedCall.extend({ what: z.enum(whats) }))
