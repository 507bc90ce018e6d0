import { z } from 'zod'
import { orderDetails, orderStatuses } from '../order-states.ts'
import { decimal } from './amount-inputs.ts'
import { framedOrderRoutes } from './framed-orders.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints } from './route-schemas.ts'

/** 32 bytes in base64url. */
const framedKey = z.string().regex(/^[\w-]{43}$/)

/** The order as an embedding site gets it: nothing about the buyer or the payment address. */
export const framedOrder = z.object({
  number: z.number().int(),
  status: z.enum(orderStatuses),
  detail: z.enum(orderDetails),
  /** Bonus included. */
  tokens: decimal,
  currency: z.string(),
  amount: decimal,
})

export const framedOrderSchemas = {
  tell: {
    summary:
      'Lets the checkout in a frame that made the key follow the order of one of the buyer’s own orders, or, by null, no longer.',
    params: z.object({ token: z.string().min(10).max(64) }),
    body: z.object({
      /** SHA-256 of the key’s text, in base64url. */
      keyHash: framedKey.nullable(),
    }),
    reply: z.object({ isTold: z.boolean() }),
    errors: ['order_unknown'],
  },
  follow: {
    summary:
      'Orders whose buyers said that whoever has this key may follow them, newest first, at most 20, for 30 days.',
    cost: { statements: 8 },
    body: z.object({ key: framedKey }),
    reply: z.object({ orders: z.array(framedOrder) }),
    errors: ['too_many_requests'],
  },
} as const satisfies Record<string, RouteSchemas>
export const framedOrderEndpoints = endpoints(framedOrderRoutes, framedOrderSchemas)
