import type { z } from 'zod'
import type { framedOrder, framedOrderSchemas } from './framed-orders-schemas.ts'
import { routes } from './route.ts'

/** An order as a frame on another site sees it, if its buyer said so. */
export type FramedOrder = z.infer<typeof framedOrder>

export const framedOrderRoutes = routes<typeof framedOrderSchemas>()({
  tell: { method: 'PUT', path: '/orders/:token/frame', audience: 'buyer' },
  // Not GET: the key stands in no address, and so in no log.
  follow: { method: 'POST', path: '/framed-orders', audience: 'visitor' },
})
