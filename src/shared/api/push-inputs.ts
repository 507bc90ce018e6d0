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
