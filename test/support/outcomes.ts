import { expect } from 'vitest'
import { Refusal } from '../../src/server/refusal.ts'

export function answersOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** Returns error codes, and other exceptions, which are bugs, unchanged. */
export function refusalsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    return [outcome.reason instanceof Refusal ? outcome.reason.code : outcome.reason]
  })
}

/** An error for `rejects.toEqual`. */
export const refused = (code: string): unknown => expect.objectContaining({ code })
