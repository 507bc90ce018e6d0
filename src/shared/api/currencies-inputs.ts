import { z } from 'zod'
import { shownName } from '../names-inputs.ts'
import { networks } from '../networks.ts'

const positiveNumber = z
  .string()
  .trim()
  .regex(/^\d{1,24}(\.\d{1,18})?$/, 'rate_not_positive')
  .refine((value) => /[1-9]/.test(value), 'rate_not_positive')

export const currencyFields = {
  fullName: shownName(60, 2, 'full_name_short 2'),
  rate: positiveNumber,
  address: z.string().trim().max(200),
  network: z.enum(networks),
  erc20: z.boolean(),
  tokenContract: z.string().trim().max(80).nullable(),
  rateSource: z.enum(['manual', 'feed']),
  priceId: z
    .string()
    .trim()
    .max(80)
    .regex(/^[a-z0-9-]*$/)
    .nullable(),
}

export const currencyInput = z.object({
  code: z
    .string()
    .trim()
    .min(2, 'currency_short 2')
    .max(12)
    .regex(/^[A-Za-z0-9]+$/)
    .transform((code) => code.toUpperCase()),
  fullName: currencyFields.fullName,
  rate: currencyFields.rate,
  address: currencyFields.address.min(5, 'address_short 5'),
  network: currencyFields.network.optional(),
  erc20: currencyFields.erc20.optional(),
  tokenContract: currencyFields.tokenContract.optional(),
  rateSource: currencyFields.rateSource.optional(),
  priceId: currencyFields.priceId.optional(),
})

/** The one address for all ERC-20 currencies. */
export const evmWalletInput = z.object({
  address: z.string().trim().min(5, 'address_short 5').max(100),
})

export const evmWalletChange = evmWalletInput.extend({
  /** Addresses that were shown, by currency; others are a `conflict`. Left out: replaces any. */
  replaces: z.record(z.string(), z.string()).optional(),
})
