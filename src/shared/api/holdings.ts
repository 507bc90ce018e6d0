import type { z } from 'zod'
import type { grantInput } from './holdings-inputs.ts'
import type {
  grant,
  holdingSchemas,
  holdings,
  operatorUser,
  operatorUserSchemas,
} from './holdings-schemas.ts'
import { executes, routes } from './route.ts'

export type Holdings = z.infer<typeof holdings>

export const holdingRoutes = routes<typeof holdingSchemas>()({
  show: { method: 'GET', path: '/holdings', audience: 'buyer' },
  proof: { method: 'GET', path: '/holdings/proof', audience: 'buyer' },
  leaderboard: { method: 'GET', path: '/leaderboard', audience: 'visitor' },
})

export type OperatorUser = z.infer<typeof operatorUser>
export type Grant = z.infer<typeof grant>
export type GrantInput = z.output<typeof grantInput>

export const operatorUserRoutes = routes<typeof operatorUserSchemas>()({
  list: {
    method: 'GET',
    path: '/operator/users',
    audience: { operator: 'users:read' },
    showsPeople: 'users',
  },
  show: {
    method: 'GET',
    path: '/operator/users/:id',
    audience: { operator: 'users:read' },
    showsPerson: 'user',
  },
  entries: {
    method: 'GET',
    path: '/operator/users/:id/entries',
    audience: { operator: 'users:read' },
    showsPerson: 'user',
  },
  grants: {
    method: 'GET',
    path: '/operator/users/:id/grants',
    audience: { operator: 'users:read' },
    showsPerson: 'user',
  },
  addBalance: {
    method: 'POST',
    path: '/operator/grants',
    ...executes('grant.add'),
    idempotent: true,
  },
  reverseGrant: {
    method: 'POST',
    path: '/operator/grants/:id/reverse',
    ...executes('grant.reverse'),
  },
})
