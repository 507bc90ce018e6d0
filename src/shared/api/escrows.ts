import type { z } from 'zod'
import type { escrowContract, escrowFaults, escrowSchemas, operatorEscrow } from './escrows-schemas.ts'
import { by, routes } from './route.ts'

export type OperatorEscrow = z.infer<typeof operatorEscrow>
export type EscrowContract = z.infer<typeof escrowContract>
export type EscrowCall = EscrowContract['calls'][number]
export type EscrowFault = (typeof escrowFaults)[number]

export const escrowRoutes = routes<typeof escrowSchemas>()({
  list: { method: 'GET', path: '/operator/escrows', audience: { operator: 'delivery:write' } },
  announce: { method: 'POST', path: '/operator/escrows', ...by('escrow.announce') },
  withdraw: { method: 'POST', path: '/operator/escrows/:number/withdraw', ...by('escrow.withdraw') },
  contract: {
    method: 'GET',
    path: '/operator/escrows/:number/contract',
    audience: { operator: 'delivery:write' },
  },
  enter: { method: 'POST', path: '/operator/escrows/:number/force', ...by('escrow.enter') },
  key: { method: 'POST', path: '/operator/escrows/quote-key', ...by('escrow.key') },
})
