import { z } from 'zod'

const FIVE_YEARS = 5 * 365 * 24 * 3600
const seconds = z.number().int().min(0).max(FIVE_YEARS)

export const releaseInput = {
  /** The share unlocked at the start, in 1/10,000. */
  startBps: z.number().int().min(0).max(10_000),
  cliffSeconds: seconds,
  linearSeconds: seconds,
}

/** Cliff and linear release together take at most five years. */
export const endsInTime = ({
  cliffSeconds,
  linearSeconds,
}: {
  cliffSeconds: number
  linearSeconds: number
}) => cliffSeconds + linearSeconds <= FIVE_YEARS
export const endsTooLate = { path: ['linearSeconds'], message: 'invalid' }
