import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { isAmount, isZero } from '../money.ts'
import { amountInput } from './amount-inputs.ts'

// Rules: RIGHT-24
/** A grant of 0 would change nothing and tell who has an account. */
const moreThanNothing = amountInput.refine((amount) => !isAmount(amount) || !isZero(amount), {
  error: 'decimal_format 6',
  params: { code: 'amount_invalid' satisfies ErrorCode },
})

export const grantInput = z.object({
  email: z.string().trim().min(1).max(254),
  amount: moreThanNothing,
  reason: z.string().trim().max(500).default(''),
})
