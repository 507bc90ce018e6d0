import type { z } from 'zod'
import { type ApprovableActionName, approvableActions } from '../actions.ts'
import type { approvalRequest, approvalSchemas } from './approvals-schemas.ts'
import { executes, routes } from './route.ts'

export type ApprovalRequestKind = ApprovableActionName
export const approvalRequestKinds = approvableActions as [ApprovalRequestKind, ...ApprovalRequestKind[]]

export const approvalRequestStates = ['waiting', 'confirmed', 'refused', 'expired'] as const
export type ApprovalRequest = z.infer<typeof approvalRequest>

export const approvalRoutes = routes<typeof approvalSchemas>()({
  list: { method: 'GET', path: '/operator/approval-requests', audience: { operator: 'any' } },
  confirm: {
    method: 'POST',
    path: '/operator/approval-requests/:id/confirm',
    ...executes('approval.confirm'),
  },
  refuse: { method: 'POST', path: '/operator/approval-requests/:id/refuse', ...executes('approval.reject') },
})
