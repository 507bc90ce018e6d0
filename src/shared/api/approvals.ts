import type { z } from 'zod'
import { type WaitingActName, waitingActs } from '../acts.ts'
import type { approvalSchemas, pendingAction } from './approvals-schemas.ts'
import { by, routes } from './route.ts'

/** The acts that can wait for a second operator; the right of each is in `src/shared/acts.ts`. */
export type PendingActionKind = WaitingActName
export const pendingActionKinds = waitingActs as [PendingActionKind, ...PendingActionKind[]]

export const pendingActionStates = ['waiting', 'confirmed', 'refused', 'expired'] as const
export type PendingAction = z.infer<typeof pendingAction>

export const approvalRoutes = routes<typeof approvalSchemas>()({
  list: { method: 'GET', path: '/operator/pending-actions', audience: { operator: 'any' } },
  confirm: {
    method: 'POST',
    path: '/operator/pending-actions/:id/confirm',
    ...by('action.confirm'),
  },
  refuse: { method: 'POST', path: '/operator/pending-actions/:id/refuse', ...by('action.refuse') },
})
