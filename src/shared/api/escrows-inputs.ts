import { z } from 'zod'
import { amountInput } from './amount-inputs.ts'
import { endsInTime, endsTooLate, releaseInput } from './release-inputs.ts'

const DAY = 24 * 3600
const address = z.string().trim().min(1).max(200)

/** What an operator chooses of a stage's escrow; the contract refuses the same (contracts/src/SaleEscrow.sol). */
export const escrowInput = z
  .object({
    stageId: z.number().int(),
    /** May close early, cancel orders, cancel a round that is not locked, and change the quote key. */
    seller: address,
    /** Gets the proceeds and the tokens that nobody is owed. */
    treasury: address,
    /** Most tokens that all orders may be owed together, bonus included. */
    capTokens: amountInput,
    closesAt: z.iso.datetime(),
    deliverBy: z.iso.datetime(),
    /** After closing, while only the seller may deliver. */
    reviewSeconds: z
      .number()
      .int()
      .min(0)
      .max(7 * DAY),
    /** No payment before all tokens of the cap lie in the contract. */
    locksFirst: z.boolean(),
    ...releaseInput,
    /** Codes of the currencies that it accepts. */
    currencies: z.array(z.string().trim().min(2).max(12).toUpperCase()).min(1).max(16),
  })
  .refine(endsInTime, endsTooLate)
