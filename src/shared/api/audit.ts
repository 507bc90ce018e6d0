import { z } from 'zod'
import { instant, pageOf, route } from './route.ts'

/** One change by an operator: references, never personal data. `operator` is null where the system did it. */
export const auditEntry = z.object({
  id: z.string(),
  at: instant,
  operator: z.object({ id: z.string(), login: z.string() }).nullable(),
  /** `subject.verb`: `order.approve`, `campaign.update`, … */
  action: z.string(),
  subjectType: z.string(),
  subjectId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditFilter = z.object({
  operator: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  /** A whole action (`order.approve`) or its first part (`order`). */
  action: z
    .string()
    .trim()
    .regex(/^[a-z_.-]{1,60}$/)
    .optional(),
  subjectType: z
    .string()
    .trim()
    .regex(/^[a-z_-]{1,40}$/)
    .optional(),
  subjectId: z.string().trim().max(100).optional(),
  /** Inclusive and exclusive. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
})
export type AuditFilter = z.infer<typeof auditFilter>

export const auditRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/audit',
    summary: 'The audit log, newest first. Finance sees its own entries and those about money.',
    audience: { operator: 'audit:read' },
    query: auditFilter.extend({
      after: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    reply: pageOf(auditEntry),
  }),
  choices: route({
    method: 'GET',
    path: '/operator/audit/choices',
    summary: 'Operators and actions that occur in the log, for its filters.',
    audience: { operator: 'audit:read' },
    reply: z.object({
      operators: z.array(z.object({ id: z.string(), login: z.string() })),
      actions: z.array(z.string()),
    }),
  }),
} as const

/**
 * CSV downloads, by GET below `/api/v1` with the operator's session; filters as in the lists that they export.
 * Answers are streamed: a failure on the way breaks the download off instead of ending it early in silence.
 */
export const exportPaths = {
  users: '/operator/exports/users.csv',
  /** Takes `status`, `search` and `hidden` of the orders' list. */
  transactions: '/operator/exports/transactions.csv',
  approved: '/operator/exports/approved-transactions.csv',
  /** Takes the filters of the audit log. */
  audit: '/operator/exports/audit.csv',
} as const
