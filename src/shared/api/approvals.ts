import type { z } from 'zod'
import { type WaitingActName, waitingActs } from '../acts.ts'
import type { approvalRequest, approvalSchemas } from './approvals-schemas.ts'
import { by, routes } from './route.ts'

/** The acts that can wait for a second operator; the right of each is in `src/shared/acts.ts`. */
export type ApprovalRequestKind = WaitingActName
export const approvalRequestKinds = waitingActs as [ApprovalRequestKind, ...ApprovalRequestKind[]]

export const approvalRequestStates = ['waiting', 'confirmed', 'refused', 'expired'] as const
export type ApprovalRequest = z.infer<typeof approvalRequest>

export const approvalRoutes = routes<typeof approvalSchemas>()({
  list: { method: 'GET', path: '/operator/approval-requests', audience: { operator: 'any' } },
  confirm: {
    method: 'POST',
    path: '/operator/approval-requests/:id/confirm',
    ...by('action.confirm'),
  },
  refuse: { method: 'POST', path: '/operator/approval-requests/:id/refuse', ...by('action.refuse') },
})
