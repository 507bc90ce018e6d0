import { z } from 'zod'
import type { Right } from '../roles.ts'
import { instant, route } from './route.ts'

/** What waits for a second operator where the campaign asks for two, and the right that both need. */
export const rightByAction = {
  'wallet.add': 'currencies:write',
  'wallet.change': 'currencies:write',
  'wallet.change-evm': 'currencies:write',
  'grant.add': 'grants:write',
  /** Asking for two operators no longer: that too takes two, where there is another owner. */
  'setting.one-operator': 'campaign:write',
  'order.approve': 'orders:decide',
} as const satisfies Record<string, Right>
export type PendingActionKind = keyof typeof rightByAction
export const pendingActionKinds = Object.keys(rightByAction) as [PendingActionKind, ...PendingActionKind[]]

export const pendingActionStates = ['waiting', 'confirmed', 'refused', 'expired'] as const

export const pendingAction = z.object({
  id: z.string(),
  kind: z.enum(pendingActionKinds),
  subjectType: z.string(),
  subjectId: z.string(),
  /** What will happen, as label → value, for the confirmation to name: amounts, addresses before and after. */
  summary: z.record(z.string(), z.string()),
  state: z.enum(pendingActionStates),
  requestedBy: z.object({ id: z.string(), login: z.string() }),
  requestedAt: instant,
  expiresAt: instant,
  decidedBy: z.object({ id: z.string(), login: z.string() }).nullable(),
  decidedAt: instant.nullable(),
  /** Whether the operator who asks may confirm it: has the right and is another one. */
  mayConfirm: z.boolean(),
  mayRefuse: z.boolean(),
})
export type PendingAction = z.infer<typeof pendingAction>

const byId = z.object({ id: z.string().regex(/^\d{1,18}$/) })

export const approvalRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/pending-actions',
    summary:
      'Actions that wait for a second operator (or were decided), newest first, of kinds that the asker may decide.',
    audience: { operator: 'any' },
    query: z.object({ state: z.enum(pendingActionStates).default('waiting') }),
    reply: z.object({ items: z.array(pendingAction) }),
  }),
  confirm: route({
    method: 'POST',
    path: '/operator/pending-actions/:id/confirm',
    summary: 'Confirms and does it, in one transaction; both operators are recorded.',
    audience: { operator: 'any' },
    stepUp: true,
    params: byId,
    reply: pendingAction,
    errors: ['not_found', 'not_for_your_role', 'action_decided', 'action_expired', 'action_own'],
  }),
  refuse: route({
    method: 'POST',
    path: '/operator/pending-actions/:id/refuse',
    summary: 'Refuses it, or withdraws one’s own.',
    audience: { operator: 'any' },
    params: byId,
    reply: pendingAction,
    errors: ['not_found', 'not_for_your_role', 'action_decided'],
  }),
} as const
