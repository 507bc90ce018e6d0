import { z } from 'zod'
import { wordsOf } from '../texts-inputs.ts'
import { emailAddress } from './account-inputs.ts'

export const mailWords = z.object({
  subject: wordsOf(
    z
      .string()
      .trim()
      .min(1)
      .max(150)
      // A subject is one line.
      .regex(/^\P{Cc}*$/u, 'control_characters'),
  ),
  body: wordsOf(z.string().trim().min(1).max(4_000)),
})

/** A mail server on the public internet. Port 465 uses TLS, every other STARTTLS. */
export const mailServerInput = z.object({
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253, 'too_long 253')
    .regex(/^(?!-)[a-z0-9.-]+\.[a-z0-9-]+$/, 'invalid'),
  port: z.number().int().min(1).max(65_535),
  /** Empty: no login. */
  login: z.string().trim().max(200, 'too_long 200'),
  /** Null: unchanged. */
  password: z.string().min(1).max(500, 'too_long 500').nullable(),
  from: emailAddress,
})
