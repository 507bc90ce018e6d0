import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { isAmount } from '../money.ts'

// Rules: NUM-3
export const amountInput = z
  .string()
  .trim()
  .refine(isAmount, {
    error: 'decimal_format 6',
    params: { code: 'amount_invalid' satisfies ErrorCode },
  })

/** Up to 18 decimals; others are rejected with `amount_invalid`. */
export const coinInput = z
  .string()
  .trim()
  .refine((text) => /^\d{1,12}(\.\d{1,18})?$/.test(text), {
    error: 'decimal_format 18',
    params: { code: 'amount_invalid' satisfies ErrorCode },
  })

/** Decimal string as in the ledger: optional sign, digits, one point, no exponent. */
export const decimal = z.string().regex(/^-?\d{1,30}(\.\d{1,18})?$/)
