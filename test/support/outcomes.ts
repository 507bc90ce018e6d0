import { expect } from 'vitest'
import { Refusal } from '../../src/server/refusal.ts'

export function answersOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** Other exceptions are bugs and are returned unchanged. */
export function refusalsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    return [outcome.reason instanceof Refusal ? outcome.reason.code : outcome.reason]
  })
}

/** For `rejects.toEqual`: an error with this code. */
export const refused = (code: string): unknown => expect.objectContaining({ code })
