import type { z } from 'zod'
import type { deliveryEscrow, deliveryEscrowSchemas, escrowOrder } from './delivery-escrows-schemas.ts'
import { routes } from './route.ts'

export type EscrowOrder = z.infer<typeof escrowOrder>
export type DeliveryEscrow = z.infer<typeof deliveryEscrow>

export const deliveryEscrowRoutes = routes<typeof deliveryEscrowSchemas>()({
  list: { method: 'GET', path: '/delivery-escrows', audience: 'visitor' },
  own: { method: 'GET', path: '/delivery-escrow-orders', audience: 'buyer' },
})
