import { z } from 'zod'

/** An EVM address as a buyer types or a wallet gives it; what is wrong with it is said by the refusal `address_invalid`. */
export const deliveryAddressInput = z.object({ address: z.string().trim().min(1).max(200) })

/** What a wallet signed. A contract's signature has any length. */
export const signatureInput = z.object({
  nonce: z.string().regex(/^[0-9a-zA-Z]{8,100}$/),
  signature: z
    .string()
    .trim()
    .regex(/^0x(?:[0-9a-fA-F]{2}){0,4096}$/, 'signature_format'),
})
