import type { ErrorCode } from '../../shared/error-codes.ts'
import { refuse } from '../refusal.ts'

/** What the ledger's SQL functions answer: a refusal by code, or whether the call changed something. */
export interface Outcome {
  readonly refusal: ErrorCode | null
  readonly changed: boolean
}

/** Throws the refusal of an outcome; otherwise whether the call changed something. */
export function refuseOutcome({ refusal, changed }: Outcome): boolean {
  if (refusal) refuse(refusal)
  return changed
}
