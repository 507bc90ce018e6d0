import { z } from 'zod'

/** An EVM address, typed or from a wallet. `address_invalid` reports its problems. */
export const deliveryAddressInput = z.object({ address: z.string().trim().min(1).max(200) })

/** A contract's signature may have any length. */
export const signatureInput = z.object({
  nonce: z.string().regex(/^[0-9a-zA-Z]{8,100}$/),
  signature: z
    .string()
    .trim()
    .regex(/^0x(?:[0-9a-fA-F]{2}){0,4096}$/, 'signature_format'),
})
