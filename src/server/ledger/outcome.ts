import type { ErrorCode } from '../../shared/error-codes.ts'
import { refuse } from '../refusal.ts'

/** The result of the ledger's SQL functions: an error code, or whether the call changed something. */
export interface Outcome {
  readonly refusal: ErrorCode | null
  readonly changed: boolean
}

export function refuseOutcome({ refusal, changed }: Outcome): boolean {
  if (refusal) refuse(refusal)
  return changed
}
