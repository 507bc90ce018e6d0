import { z } from 'zod'
import { roles } from '../roles.ts'
import { emailAddress, wholeProof } from './account-inputs.ts'
import { operatorRoutes } from './operators.ts'
import { invitationInput, userNoteInput } from './operators-inputs.ts'
import { proofErrors, sessions } from './own-access-schemas.ts'
import type { Cost, RouteSchemas } from './route.ts'
import { endpoints, instant, manyQuery, numberInPath, pageOf } from './route-schemas.ts'

export const operator = z.object({
  id: z.string(),
  reference: z.string(),
  login: z.string(),
  role: z.enum(roles),
  /** The address for alerts about wallets, rate sources and roles. */
  email: z.string().nullable(),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  createdAt: instant,
  lastLoginAt: instant.nullable(),
  disabledAt: instant.nullable(),
  /** Increases with each change of role, address or access. */
  revision: z.number().int(),
})

/** An operator's note on a buyer: never changed, removed when the account is anonymised. */
export const userNote = z.object({
  id: z.string(),
  text: z.string(),
  operator: z.string(),
  /** The order of the note; null: the buyer. */
  orderId: z.number().int().nullable(),
  at: instant,
})

const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })

const PROVED: Cost = { hashes: 1 }

export const operatorSchemas = {
  list: {
    summary:
      'Every operator, with role and second factor; under `related` every two operators of whom neither may confirm for the other, and until when.',
    reply: z.object({
      items: z.array(operator),
      related: z.array(z.object({ logins: z.tuple([z.string(), z.string()]), until: instant })),
    }),
  },
  invite: {
    summary: 'Adds an operator; answers a one-time link (24 h) to set the password, shown once.',
    cost: PROVED,
    body: invitationInput.extend({ proof: wholeProof.optional() }),
    reply: z.object({ operator, link: z.string() }),
    errors: [...proofErrors, 'login_taken'],
  },
  change: {
    summary: 'Changes role, address or access if nobody changed them since `revision`.',
    params: byId,
    cost: PROVED,
    body: z.object({
      revision: z.number().int(),
      role: z.enum(roles).optional(),
      isDisabled: z.boolean().optional(),
      email: z.preprocess((value) => (value === '' ? null : value), emailAddress.nullable().optional()),
      proof: wholeProof.optional(),
    }),
    reply: operator,
    errors: [...proofErrors, 'not_found', 'conflict', 'last_owner'],
  },
  renewInvitation: {
    summary: 'A new one-time link for another operator who is locked out; their sessions end.',
    params: byId,
    cost: PROVED,
    body: z.object({ removesSecondFactor: z.boolean().default(false), proof: wholeProof.optional() }),
    reply: z.object({ operator, link: z.string() }),
    errors: [...proofErrors, 'own_link', 'not_found', 'conflict'],
  },
  userSessions: {
    summary: 'Where a buyer is signed in: device and place in time.',
    params: byId,
    reply: sessions,
  },
  userNotes: {
    summary: 'What operators wrote about a buyer, or about one order of theirs, newest first.',
    params: byId,
    query: manyQuery.extend({ order: numberInPath.optional() }),
    reply: pageOf(userNote),
  },
  addUserNote: {
    summary: 'Adds a note about a buyer, who gets it with the export of their data. It can’t be changed.',
    params: byId,
    body: userNoteInput,
    reply: userNote,
    errors: ['user_unknown', 'order_unknown'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorEndpoints = endpoints(operatorRoutes, operatorSchemas)
