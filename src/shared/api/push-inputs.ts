import { z } from 'zod'
import { pushKinds } from './push.ts'

/** What a browser says of itself when its user allowed notices (`PushSubscription`). */
export const pushTarget = z.object({
  endpoint: z.url().max(1_000),
  p256dh: z.string().regex(/^[\w-]{87}=?$/),
  auth: z.string().regex(/^[\w-]{22}(==)?$/),
})
export const pushDeviceInput = pushTarget.extend({
  tells: z.array(z.enum(pushKinds)).min(1).max(pushKinds.length),
})

/** What the first notice to a browser holds: its number, and what nobody else can know. */
export const pushConfirmation = z.object({
  id: z.string().regex(/^[1-9]\d{0,17}$/),
  // Not in hexadecimal: that would look like a private key, which nobody may send.
  proof: z.string().regex(/^[\w-]{43}$/),
})
