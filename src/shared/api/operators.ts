import type { z } from 'zod'
import type { operator, operatorSchemas, userNote } from './operators-schemas.ts'
import { executes, routes } from './route.ts'

export type Operator = z.infer<typeof operator>
export type UserNote = z.infer<typeof userNote>

export const operatorRoutes = routes<typeof operatorSchemas>()({
  list: { method: 'GET', path: '/operator/operators', audience: { operator: 'operators:write' } },
  invite: { method: 'POST', path: '/operator/operators', ...executes('operator.invite') },
  change: { method: 'PATCH', path: '/operator/operators/:id', ...executes('operator.change') },
  renewInvitation: {
    method: 'POST',
    path: '/operator/operators/:id/invitation',
    ...executes('operator.renew-link'),
  },
  userSessions: {
    method: 'GET',
    path: '/operator/users/:id/sessions',
    audience: { operator: 'users:read' },
    showsPerson: 'user',
  },
  userNotes: {
    method: 'GET',
    path: '/operator/users/:id/notes',
    audience: { operator: 'users:read' },
    showsPerson: 'user',
  },
  addUserNote: {
    method: 'POST',
    path: '/operator/users/:id/notes',
    ...executes('user.note'),
    idempotent: true,
  },
})
