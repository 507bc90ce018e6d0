import { z } from 'zod'

const FIVE_YEARS = 5 * 365 * 24 * 3600
const seconds = z.number().int().min(0).max(FIVE_YEARS)

/** What an operator chooses of the next round. */
export const roundInput = z
  .object({
    /** What was approved or granted until then is in the round. */
    cutAt: z.iso.datetime(),
    /** The earliest moment of the freeze: at least 72 hours from now. */
    freezeFrom: z.iso.datetime(),
    /** From here the schedule counts. */
    startsAt: z.iso.datetime(),
    /** Share that is free at the start, in 1/10,000. */
    startBps: z.number().int().min(0).max(10_000),
    cliffSeconds: seconds,
    linearSeconds: seconds,
    /** Gets what nobody has claimed a year after everything is unlocked. */
    leftoverTo: z.string().trim().min(1).max(200),
  })
  .refine(({ cliffSeconds, linearSeconds }) => cliffSeconds + linearSeconds <= FIVE_YEARS, {
    path: ['linearSeconds'],
    message: 'This value is not right.',
  })
