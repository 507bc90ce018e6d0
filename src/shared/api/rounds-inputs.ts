import { z } from 'zod'
import { endsInTime, endsTooLate, releaseInput } from './release-inputs.ts'

/** The terms of the next round. */
export const roundInput = z
  .object({
    /** The round has approvals and grants until then. */
    cutAt: z.iso.datetime(),
    /** At least 72 hours from now. */
    freezeFrom: z.iso.datetime(),
    startsAt: z.iso.datetime(),
    ...releaseInput,
    /** Receives tokens not claimed within a year after everything is unlocked. */
    leftoverTo: z.string().trim().min(1).max(200),
  })
  .refine(endsInTime, endsTooLate)
