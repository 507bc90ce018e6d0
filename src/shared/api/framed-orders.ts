import type { z } from 'zod'
import type { framedOrder, framedOrderSchemas } from './framed-orders-schemas.ts'
import { routes } from './route.ts'

export type FramedOrder = z.infer<typeof framedOrder>

export const framedOrderRoutes = routes<typeof framedOrderSchemas>()({
  tell: { method: 'PUT', path: '/orders/:token/frame', audience: 'buyer' },
  // POST, so that no address or log holds the key.
  follow: { method: 'POST', path: '/framed-orders', audience: 'visitor' },
})
