import { z } from 'zod'
import { amountInput } from './amount-inputs.ts'

export const grantInput = z.object({
  email: z.string().trim().min(1).max(254),
  amount: amountInput,
  reason: z.string().trim().max(500).default(''),
})
