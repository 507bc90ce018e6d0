import { z } from 'zod'
import { pushKinds, pushRoutes } from './push.ts'
import { pushConfirmation, pushDeviceInput } from './push-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

export const pushDevice = z.object({
  id: z.number().int(),
  /** Hex SHA-256 of the browser's push address, by which it finds its own row. */
  mark: z.string(),
  /** The browser's name. */
  device: z.string(),
  tells: z.array(z.enum(pushKinds)),
  /** True once the first notification was confirmed; the browser gets nothing else before. */
  isConfirmed: z.boolean(),
  addedAt: instant,
  lastSentAt: instant.nullable(),
})

export const pushSchemas = {
  key: {
    summary: 'The key that a browser binds its notices to (VAPID).',
    reply: z.object({ publicKey: z.string() }),
  },
  list: {
    summary: 'Browsers in which the buyer asked for notices.',
    reply: z.object({ items: z.array(pushDevice) }),
  },
  keep: {
    summary:
      'Sends a first notice to this browser and, once the browser says that it came, all others, for as long as the session lasts; a repeat chooses anew what of.',
    body: pushDeviceInput,
    reply: pushDevice,
    errors: ['too_many_requests', 'push_address_refused', 'email_unconfirmed', 'push_devices_full'],
  },
  confirm: {
    summary: 'Says by what a first notice held that it came.',
    body: pushConfirmation,
    reply: z.void(),
    errors: ['not_found'],
  },
  remove: {
    summary: 'Sends a browser nothing more.',
    params: z.object({ id: numberInPath }),
    reply: z.void(),
  },
} as const satisfies Record<string, RouteSchemas>
export const pushEndpoints = endpoints(pushRoutes, pushSchemas)
