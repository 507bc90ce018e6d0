import type { z } from 'zod'
import type {
  escrowContract,
  escrowFaults,
  escrowOrder,
  escrowSchemas,
  operatorEscrow,
  orderEscrowSchemas,
  signedQuote,
} from './escrows-schemas.ts'
import { executes, routes } from './route.ts'

export type OperatorEscrow = z.infer<typeof operatorEscrow>
export type EscrowContract = z.infer<typeof escrowContract>
export type EscrowCall = EscrowContract['calls'][number]
export type EscrowOrder = z.infer<typeof escrowOrder>
export type SignedQuote = z.infer<typeof signedQuote>
export type OrderCall = SignedQuote['calls'][number]
export type EscrowFault = (typeof escrowFaults)[number]

export const escrowRoutes = routes<typeof escrowSchemas>()({
  list: { method: 'GET', path: '/operator/escrows', audience: { operator: 'delivery:write' } },
  announce: { method: 'POST', path: '/operator/escrows', ...executes('escrow.announce') },
  withdraw: { method: 'POST', path: '/operator/escrows/:number/withdraw', ...executes('escrow.withdraw') },
  contract: {
    method: 'GET',
    path: '/operator/escrows/:number/contract',
    audience: { operator: 'delivery:write' },
  },
  enter: { method: 'POST', path: '/operator/escrows/:number/force', ...executes('escrow.enter') },
  key: { method: 'POST', path: '/operator/escrows/quote-key', ...executes('escrow.key') },
})

export const orderEscrowRoutes = routes<typeof orderEscrowSchemas>()({
  show: { method: 'GET', path: '/orders/:token/escrow', audience: 'buyer' },
  sign: { method: 'POST', path: '/orders/:token/escrow', audience: 'buyer' },
  permit: { method: 'POST', path: '/orders/:token/escrow/permit', audience: 'buyer' },
  cancelling: {
    method: 'GET',
    path: '/operator/orders/:id/escrow',
    audience: { operator: 'orders:read' },
    showsPerson: 'order',
  },
})
