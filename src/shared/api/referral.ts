import type { z } from 'zod'
import type { ownReferral, referralSchemas } from './referral-schemas.ts'
import { routes } from './route.ts'

export type OwnReferral = z.infer<typeof ownReferral>

export const referralRoutes = routes<typeof referralSchemas>()({
  show: { method: 'GET', path: '/referral', audience: 'buyer' },
  join: { method: 'POST', path: '/referral', audience: 'buyer' },
  decisions: { method: 'GET', path: '/operator/referrals', audience: { operator: 'users:read' } },
})
