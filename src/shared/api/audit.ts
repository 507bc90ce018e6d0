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
 * CSV downloads by GET below `/api/v1` with the operator's session. Streamed: an error aborts the download.
 */
export const exportPaths = {
  users: '/operator/exports/users.csv',
  transactions: '/operator/exports/transactions.csv',
  approved: '/operator/exports/approved-transactions.csv',
  audit: '/operator/exports/audit.csv',
} as const
