import { z } from 'zod'
import { pushKinds } from './push.ts'

/** A browser's `PushSubscription`. */
export const pushTarget = z.object({
  endpoint: z.url().max(1_000),
  p256dh: z.string().regex(/^[\w-]{87}=?$/),
  auth: z.string().regex(/^[\w-]{22}(==)?$/),
})
export const pushDeviceInput = pushTarget.extend({
  tells: z.array(z.enum(pushKinds)).min(1).max(pushKinds.length),
})

/** The id and the secret of the first notification. */
export const pushConfirmation = z.object({
  id: z.string().regex(/^[1-9]\d{0,17}$/),
  // Hexadecimal would look like a private key and be rejected.
  proof: z.string().regex(/^[\w-]{43}$/),
})
