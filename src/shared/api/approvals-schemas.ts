import { z } from 'zod'
import { approvalRequestKinds, approvalRequestStates, approvalRoutes } from './approvals.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, manyQuery, pageOf } from './route-schemas.ts'

export const approvalRequest = z.object({
  id: z.string(),
  kind: z.enum(approvalRequestKinds),
  subjectType: z.string(),
  subjectId: z.string(),
  /** Label → value: amounts, addresses before and after. */
  summary: z.record(z.string(), z.string()),
  state: z.enum(approvalRequestStates),
  requestedBy: z.object({ id: z.string(), login: z.string() }),
  requestedAt: instant,
  /**
   * When the request executes unless rejected, for texts with an address published by one operator. Null:
   * never.
   */
  dueAt: instant.nullable(),
  expiresAt: instant,
  decidedBy: z.object({ id: z.string(), login: z.string() }).nullable(),
  decidedAt: instant.nullable(),
  /** The asking operator has the right and did not make the request. */
  mayConfirm: z.boolean(),
  mayRefuse: z.boolean(),
  /** The operators who can confirm and from when; null: now. Empty once decided. */
  confirmers: z.array(z.object({ login: z.string(), from: instant.nullable() })),
})

const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })

export const approvalSchemas = {
  list: {
    summary:
      'Actions that wait for a second operator (or were decided), newest first, of kinds that the asker may decide.',
    query: manyQuery.extend({ state: z.enum(approvalRequestStates).default('waiting') }),
    reply: pageOf(approvalRequest),
  },
  confirm: {
    summary: 'Confirms and does it, in one transaction; both operators are recorded.',
    params: byId,
    reply: approvalRequest,
    errors: ['not_found', 'not_for_your_role', 'approval_decided', 'approval_expired', 'approval_own'],
  },
  refuse: {
    summary: 'Refuses it, or withdraws one’s own.',
    params: byId,
    reply: approvalRequest,
    errors: ['not_found', 'not_for_your_role', 'approval_decided'],
  },
} as const satisfies Record<string, RouteSchemas>
export const approvalEndpoints = endpoints(approvalRoutes, approvalSchemas)
