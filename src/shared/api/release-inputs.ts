import { z } from 'zod'

const FIVE_YEARS = 5 * 365 * 24 * 3600
const seconds = z.number().int().min(0).max(FIVE_YEARS)

export const releaseInput = {
  /** The share at the start in 1/10,000. */
  startBps: z.number().int().min(0).max(10_000),
  cliffSeconds: seconds,
  linearSeconds: seconds,
}

/** True if cliff and release take at most five years together. */
export const endsInTime = ({
  cliffSeconds,
  linearSeconds,
}: {
  cliffSeconds: number
  linearSeconds: number
}) => cliffSeconds + linearSeconds <= FIVE_YEARS
export const endsTooLate = { path: ['linearSeconds'], message: 'invalid' }
