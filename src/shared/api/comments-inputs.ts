import { z } from 'zod'
import { commentLengthMax, commentReasons } from './comments.ts'

export const commentInput = z.object({
  /** Plain text; the server removes invisible and direction-changing characters. */
  body: z.string().trim().min(1, 'text_missing').max(commentLengthMax),
  /** Whether the account's nickname is shown with it. */
  showsName: z.boolean(),
})

export const commentReasonInput = z.object({ reason: z.enum(commentReasons) })
