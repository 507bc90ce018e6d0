import { z } from 'zod'

/** What an operator words of a mail: paragraphs are apart by an empty line. */
export const mailWords = z.object({
  subject: z
    .string()
    .trim()
    .min(1)
    .max(150)
    // A subject is one line.
    .regex(/^\P{Cc}*$/u, 'control_characters'),
  body: z.string().trim().min(1).max(4_000),
})
