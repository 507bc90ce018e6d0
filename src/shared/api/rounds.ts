import type { z } from 'zod'
import type { roundInput } from './rounds-inputs.ts'
import type {
  distributorFaults,
  equation,
  operatorRoundSchemas,
  publicRound,
  roundDistributor,
  roundSchemas,
} from './rounds-schemas.ts'
import { executes, routes } from './route.ts'

export type Round = z.infer<typeof publicRound>
export type OperatorRounds = z.infer<(typeof operatorRoundSchemas)['list']['reply']>
export type RoundProofs = z.infer<(typeof roundSchemas)['proofs']['reply']>
export type RoundDistributor = z.infer<typeof roundDistributor>
export type Equation = z.infer<typeof equation>
export type UnsignedCall = RoundDistributor['calls'][number]
export type DistributorFault = (typeof distributorFaults)[number]
export type RoundInput = z.infer<typeof roundInput>

/** The list is below `/api/v1`: canonical JSON (RFC 8785) that never changes. */
export const roundFilePath = (round: number | string) => `/delivery-rounds/${round}/file`

export const roundRoutes = routes<typeof roundSchemas>()({
  list: { method: 'GET', path: '/delivery-rounds', audience: 'visitor' },
  equation: { method: 'GET', path: '/delivery-equation', audience: 'visitor' },
  proofs: { method: 'GET', path: '/delivery-rounds/:number/proofs', audience: 'visitor' },
})

export const operatorRoundRoutes = routes<typeof operatorRoundSchemas>()({
  list: { method: 'GET', path: '/operator/delivery-rounds', audience: { operator: 'delivery:write' } },
  announce: { method: 'POST', path: '/operator/delivery-rounds', ...executes('round.announce') },
  cancel: { method: 'POST', path: '/operator/delivery-rounds/:number/cancel', ...executes('round.cancel') },
  freeze: { method: 'POST', path: '/operator/delivery-rounds/:number/freeze', ...executes('round.freeze') },
  distributor: {
    method: 'GET',
    path: '/operator/delivery-rounds/:number/distributor',
    audience: { operator: 'delivery:write' },
  },
  goLive: { method: 'POST', path: '/operator/delivery-rounds/:number/live', ...executes('round.go-live') },
})
