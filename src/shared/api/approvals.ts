import type { z } from 'zod'
import type { Right } from '../roles.ts'
import type { approvalSchemas, pendingAction } from './approvals-schemas.ts'
import { routes } from './route.ts'

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
export type PendingAction = z.infer<typeof pendingAction>

export const approvalRoutes = routes<typeof approvalSchemas>()({
  list: { method: 'GET', path: '/operator/pending-actions', audience: { operator: 'any' } },
  confirm: {
    method: 'POST',
    path: '/operator/pending-actions/:id/confirm',
    audience: { operator: 'any' },
    stepUp: true,
  },
  refuse: { method: 'POST', path: '/operator/pending-actions/:id/refuse', audience: { operator: 'any' } },
})
