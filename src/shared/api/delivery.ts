import type { z } from 'zod'
import type { deliveryAddress, deliverySchemas, namedAddress, ownClaim } from './delivery-schemas.ts'
import { routes } from './route.ts'

export type DeliveryAddress = z.infer<typeof deliveryAddress>
export type OwnClaim = z.infer<typeof ownClaim>
export type NamedAddress = z.infer<typeof namedAddress>

export const deliveryRoutes = routes<typeof deliverySchemas>()({
  address: { method: 'GET', path: '/delivery-address', audience: 'buyer' },
  claims: { method: 'GET', path: '/delivery-claims', audience: 'buyer' },
  challenge: { method: 'POST', path: '/delivery-address/texts', audience: 'buyer', stepUp: true },
  prove: { method: 'POST', path: '/delivery-address/signatures', audience: 'buyer', stepUp: true },
  type: { method: 'POST', path: '/delivery-address', audience: 'buyer', stepUp: true },
  confirm: { method: 'POST', path: '/delivery-address/confirmations', audience: 'visitor' },
  withdraw: { method: 'DELETE', path: '/delivery-address/change', audience: 'buyer', stepUp: true },
})
