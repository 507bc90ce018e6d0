import { z } from 'zod'
import { decimal } from './amount-inputs.ts'

export const priceInput = z.object({
  priceUsd: z
    .string()
    .trim()
    .regex(/^\d{1,10}(\.\d{1,8})?$/, 'number_format')
    .refine((value) => /[1-9]/.test(value), 'number_format'),
  /** The value that the operator saw. If given, a change made meanwhile is a `conflict`. */
  previousUsd: decimal.nullable().optional(),
})
