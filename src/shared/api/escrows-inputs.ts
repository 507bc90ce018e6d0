import { z } from 'zod'
import { amountInput } from './amount-inputs.ts'
import { endsInTime, endsTooLate, releaseInput } from './release-inputs.ts'

const DAY = 24 * 3600
const address = z.string().trim().min(1).max(200)

/** The contract enforces the same limits (contracts/src/SaleEscrow.sol). */
export const escrowInput = z
  .object({
    stageId: z.number().int(),
    /** May close early, cancel orders, cancel an unlocked round, and change the quote key. */
    seller: address,
    /** Receives the proceeds and the tokens that nobody is owed. */
    treasury: address,
    /** The maximum of all orders together, with bonus. */
    capTokens: amountInput,
    closesAt: z.iso.datetime(),
    deliverBy: z.iso.datetime(),
    /** The time after closing when only the seller may deliver. */
    reviewSeconds: z
      .number()
      .int()
      .min(0)
      .max(7 * DAY),
    /** Accept no payment before all tokens of the cap are in the contract. */
    locksFirst: z.boolean(),
    ...releaseInput,
    /** Codes of the accepted currencies. */
    currencies: z.array(z.string().trim().min(2).max(12).toUpperCase()).min(1).max(16),
  })
  .refine(endsInTime, endsTooLate)
