import { z } from 'zod'
import { commentLengthMax, commentReasons } from './comments.ts'

export const commentInput = z.object({
  /** Plain text; the server takes invisible and direction-changing characters out. */
  body: z.string().trim().min(1, 'text_missing').max(commentLengthMax),
  /** Whether the nickname of the account stands beside it. */
  showsName: z.boolean(),
})

export const commentReasonInput = z.object({ reason: z.enum(commentReasons) })
