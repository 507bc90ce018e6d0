import { z } from 'zod'
import { pushKinds } from './push.ts'

/** A browser's subscription after its user allowed notifications (`PushSubscription`). */
export const pushTarget = z.object({
  endpoint: z.url().max(1_000),
  p256dh: z.string().regex(/^[\w-]{87}=?$/),
  auth: z.string().regex(/^[\w-]{22}(==)?$/),
})
export const pushDeviceInput = pushTarget.extend({
  tells: z.array(z.enum(pushKinds)).min(1).max(pushKinds.length),
})

/** The content of the first notification: its id and a secret. */
export const pushConfirmation = z.object({
  id: z.string().regex(/^[1-9]\d{0,17}$/),
  // Not hexadecimal, which would look like a private key and be rejected.
  proof: z.string().regex(/^[\w-]{43}$/),
})
