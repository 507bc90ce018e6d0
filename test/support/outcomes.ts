import { expect } from 'vitest'
import { Refusal } from '../../src/server/refusal.ts'

/** The answers of the steps that were not refused. */
export function answersOf<T>(outcomes: readonly PromiseSettledResult<T>[]): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** The refusals of the other steps, by code. What was thrown besides is a fault of the product and stays what it is. */
export function refusalsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return []
    return [outcome.reason instanceof Refusal ? outcome.reason.code : outcome.reason]
  })
}

/** For `rejects.toEqual`: what is refused by this code. */
export const refused = (code: string): unknown => expect.objectContaining({ code })
