import { z } from 'zod'
import { shownName } from '../names-inputs.ts'
import { roles } from '../roles.ts'
import { emailAddress } from './account-inputs.ts'

/** Shown beside decisions, so it must be visible and not change the text direction. */
export const operatorLogin = shownName(100, 2, 'too_short 2')

export const invitationInput = z.object({
  login: operatorLogin,
  role: z.enum(roles),
  email: z.preprocess((value) => (value === '' ? undefined : value), emailAddress.optional()),
})

export const userNoteInput = z.object({
  text: z.string().trim().min(1, 'text_missing').max(2000),
  /** The buyer's order that the note is about. */
  orderId: z.number().int().positive().optional(),
})
