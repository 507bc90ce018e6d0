import type { z } from 'zod'
import type { auditEntry, auditFilter, auditSchemas } from './audit-schemas.ts'
import { routes } from './route.ts'

export type AuditEntry = z.infer<typeof auditEntry>
export type AuditFilter = z.infer<typeof auditFilter>

export const auditRoutes = routes<typeof auditSchemas>()({
  list: { method: 'GET', path: '/operator/audit', audience: { operator: 'audit:read' } },
  choices: { method: 'GET', path: '/operator/audit/choices', audience: { operator: 'audit:read' } },
})

/**
 * CSV downloads by GET below `/api/v1` with the operator's session, with the filters of their lists.
 * Streamed: an error aborts the download instead of silently ending it early.
 */
export const exportPaths = {
  /** Takes the filters of the users' list. */
  users: '/operator/exports/users.csv',
  /** Takes the filters of the orders' list. */
  transactions: '/operator/exports/transactions.csv',
  approved: '/operator/exports/approved-transactions.csv',
  /** Takes the filters of the audit log. */
  audit: '/operator/exports/audit.csv',
} as const
