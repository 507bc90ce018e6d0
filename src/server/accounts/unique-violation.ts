import type { ErrorCode } from '../../shared/error-codes.ts'
import { refuse } from '../refusal.ts'

const UNIQUE_VIOLATION = '23505'

/** Throws `code` on a unique violation. */
export async function onUniqueViolation<T>(work: () => Promise<T>, code: ErrorCode): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return refuse(code)
    throw error
  }
}
