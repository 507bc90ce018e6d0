import { z } from 'zod'
import { commentLengthMax, commentReasons } from './comments.ts'

export const commentInput = z.object({
  /** The server removes invisible and direction-changing characters. */
  body: z.string().trim().min(1, 'text_missing').max(commentLengthMax),
  showsName: z.boolean(),
})

export const commentReasonInput = z.object({ reason: z.enum(commentReasons) })
