import { z } from 'zod'
import { shownName } from '../names-inputs.ts'
import { roles } from '../roles.ts'
import { emailAddress } from './account-inputs.ts'

/** Stands beside decisions, so that it is seen and turns nothing. */
export const operatorLogin = shownName(100, 2, 'too_short 2')

export const invitationInput = z.object({
  login: operatorLogin,
  role: z.enum(roles),
  email: z.preprocess((value) => (value === '' ? undefined : value), emailAddress.optional()),
})

/** What the form for a note takes. */
export const userNoteInput = z.object({
  text: z.string().trim().min(1, 'text_missing').max(2000),
  /** The order of this buyer that the note is about. */
  orderId: z.number().int().positive().optional(),
})
