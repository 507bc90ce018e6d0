import { z } from 'zod'
import { roles } from '../roles.ts'
import { session } from './account.ts'
import { emailAddress } from './account-inputs.ts'
import { operatorLogin } from './operator-session.ts'
import { instant, route } from './route.ts'

export const operator = z.object({
  id: z.string(),
  reference: z.string(),
  login: z.string(),
  role: z.enum(roles),
  /** Where notices about wallets, rate sources and roles go. */
  email: z.string().nullable(),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  createdAt: instant,
  lastLoginAt: instant.nullable(),
  disabledAt: instant.nullable(),
  /** Goes up with every change of role, address or access. */
  revision: z.number().int(),
})
export type Operator = z.infer<typeof operator>

export const invitationInput = z.object({
  login: operatorLogin,
  role: z.enum(roles),
  email: z.preprocess((value) => (value === '' ? undefined : value), emailAddress.optional()),
})

/** What an operator wrote about a buyer: never changed, gone once the account is anonymous. */
export const userNote = z.object({ id: z.string(), text: z.string(), operator: z.string(), at: instant })
export type UserNote = z.infer<typeof userNote>

/** What the form for a note takes. */
export const userNoteInput = z.object({
  text: z.string().trim().min(1, 'Write something.').max(2000, 'At most 2000 characters.'),
})

const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })
const write = { operator: 'operators:write' } as const

export const operatorRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/operators',
    summary: 'Every operator, with role and second factor.',
    audience: write,
    reply: z.object({ items: z.array(operator) }),
  }),
  invite: route({
    method: 'POST',
    path: '/operator/operators',
    summary: 'Adds an operator; answers a one-time link (24 h) to set the password, shown once.',
    audience: write,
    stepUp: true,
    body: invitationInput,
    reply: z.object({ operator, link: z.string() }),
    errors: ['login_taken'],
  }),
  change: route({
    method: 'PATCH',
    path: '/operator/operators/:id',
    summary: 'Changes role, address or access if nobody changed them since `revision`.',
    audience: write,
    stepUp: true,
    params: byId,
    body: z.object({
      revision: z.number().int(),
      role: z.enum(roles).optional(),
      isDisabled: z.boolean().optional(),
      email: z.preprocess((value) => (value === '' ? null : value), emailAddress.nullable().optional()),
    }),
    reply: operator,
    errors: ['not_found', 'conflict', 'last_owner'],
  }),
  renewInvitation: route({
    method: 'POST',
    path: '/operator/operators/:id/invitation',
    summary: 'A new one-time link for somebody locked out; their sessions end.',
    audience: write,
    stepUp: true,
    params: byId,
    body: z.object({ removesSecondFactor: z.boolean().default(false) }),
    reply: z.object({ operator, link: z.string() }),
    errors: ['not_found', 'conflict'],
  }),
  userSessions: route({
    method: 'GET',
    path: '/operator/users/:id/sessions',
    summary: 'Where a buyer is signed in: device and place in time.',
    audience: { operator: 'users:read' },
    params: byId,
    reply: z.object({ items: z.array(session) }),
  }),
  userNotes: route({
    method: 'GET',
    path: '/operator/users/:id/notes',
    summary: 'What operators wrote about a buyer: the newest 200, newest first.',
    audience: { operator: 'users:read' },
    params: byId,
    reply: z.object({ items: z.array(userNote) }),
  }),
  addUserNote: route({
    method: 'POST',
    path: '/operator/users/:id/notes',
    summary: 'Adds a note about a buyer, who gets it with the export of their data. It can’t be changed.',
    audience: { operator: 'notes:write' },
    params: byId,
    body: userNoteInput,
    reply: userNote,
    errors: ['user_unknown'],
    idempotent: true,
  }),
} as const
