import type { z } from 'zod'
import type { operator, operatorSchemas, userNote } from './operators-schemas.ts'
import { routes } from './route.ts'

export type Operator = z.infer<typeof operator>
export type UserNote = z.infer<typeof userNote>
const write = { operator: 'operators:write' } as const

export const operatorRoutes = routes<typeof operatorSchemas>()({
  list: { method: 'GET', path: '/operator/operators', audience: write },
  invite: { method: 'POST', path: '/operator/operators', audience: write, stepUp: true },
  change: { method: 'PATCH', path: '/operator/operators/:id', audience: write, stepUp: true },
  renewInvitation: {
    method: 'POST',
    path: '/operator/operators/:id/invitation',
    audience: write,
    stepUp: true,
  },
  userSessions: { method: 'GET', path: '/operator/users/:id/sessions', audience: { operator: 'users:read' } },
  userNotes: { method: 'GET', path: '/operator/users/:id/notes', audience: { operator: 'users:read' } },
  addUserNote: {
    method: 'POST',
    path: '/operator/users/:id/notes',
    audience: { operator: 'notes:write' },
    idempotent: true,
  },
})
