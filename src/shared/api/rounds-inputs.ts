import { z } from 'zod'
import { endsInTime, endsTooLate, releaseInput } from './release-inputs.ts'

/** What an operator chooses of the next round. */
export const roundInput = z
  .object({
    /** What was approved or granted until then is in the round. */
    cutAt: z.iso.datetime(),
    /** The earliest moment of the freeze: at least 72 hours from now. */
    freezeFrom: z.iso.datetime(),
    /** From here the schedule counts. */
    startsAt: z.iso.datetime(),
    ...releaseInput,
    /** Gets what nobody has claimed a year after everything is unlocked. */
    leftoverTo: z.string().trim().min(1).max(200),
  })
  .refine(endsInTime, endsTooLate)
