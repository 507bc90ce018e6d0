import type { z } from 'zod'
import type {
  addressProof,
  buyerOrder,
  operatorOrder,
  operatorOrderPage,
  operatorOrderSchemas,
  orderCounts,
  orderEscrow,
  orderProof,
  orderSchemas,
  purchaseAmounts,
} from './orders-schemas.ts'
import { executes, routes } from './route.ts'

export type PurchaseAmounts = z.infer<typeof purchaseAmounts>
export type OrderEscrow = z.infer<typeof orderEscrow>
export type AddressProof = z.infer<typeof addressProof>
export type OrderProof = z.infer<typeof orderProof>
export type BuyerOrder = z.infer<typeof buyerOrder>

export const orderRoutes = routes<typeof orderSchemas>()({
  preview: { method: 'POST', path: '/orders/preview', audience: 'visitor' },
  create: { method: 'POST', path: '/orders', audience: 'buyer', idempotent: true },
  list: { method: 'GET', path: '/orders', audience: 'buyer' },
  open: { method: 'GET', path: '/open-orders', audience: 'buyer' },
  show: { method: 'GET', path: '/orders/:token', audience: 'buyer' },
  proof: { method: 'GET', path: '/orders/:token/proof', audience: 'buyer' },
  addressProof: { method: 'GET', path: '/orders/:token/address-proof', audience: 'buyer' },
  noteSent: { method: 'POST', path: '/orders/:token/sent', audience: 'buyer' },
  takeBack: { method: 'POST', path: '/orders/:token/take-back', audience: 'buyer', stepUp: true },
  setTransactionId: { method: 'PUT', path: '/orders/:token/transaction-id', audience: 'buyer' },
})

export const ownOrdersPerPage = 10

/** The receipt is in the buyer's language or `?language=`. */
export const receiptPath = '/orders/:token/receipt.pdf'

export type OperatorOrder = z.infer<typeof operatorOrder>
export type OrderCounts = z.infer<typeof orderCounts>
export type OperatorOrderPage = z.infer<typeof operatorOrderPage>

export const operatorOrderRoutes = routes<typeof operatorOrderSchemas>()({
  list: {
    method: 'GET',
    path: '/operator/orders',
    audience: { operator: 'orders:read' },
    showsPeople: 'orders',
  },
  counts: { method: 'GET', path: '/operator/order-counts', audience: { operator: 'orders:read' } },
  show: {
    method: 'GET',
    path: '/operator/orders/:id',
    audience: { operator: 'orders:read' },
    showsPerson: 'order',
  },
  approve: { method: 'POST', path: '/operator/orders/:id/approve', ...executes('order.approve') },
  reject: { method: 'POST', path: '/operator/orders/:id/reject', ...executes('order.reject') },
  hide: { method: 'POST', path: '/operator/orders/:id/hide', ...executes('order.hide') },
  unhide: { method: 'POST', path: '/operator/orders/:id/unhide', ...executes('order.unhide') },
})
