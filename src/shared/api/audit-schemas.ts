import { z } from 'zod'
import { auditRoutes } from './audit.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, pageOf } from './route-schemas.ts'

/**
 * A change by an operator, or an access to a buyer's data, by references. `operator` is null for the system.
 */
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

export const auditFilter = z.object({
  operator: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  /** An action (`order.approve`) or its prefix (`order`). */
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
  /** From inclusive, until exclusive. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
})

export const auditSchemas = {
  list: {
    summary: 'The audit log, newest first. Finance sees its own entries and those about money.',
    query: auditFilter.extend({
      after: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    reply: pageOf(auditEntry),
  },
  choices: {
    summary: 'Operators and actions that occur in the log, for its filters.',
    reply: z.object({
      operators: z.array(z.object({ id: z.string(), login: z.string() })),
      actions: z.array(z.string()),
    }),
  },
} as const satisfies Record<string, RouteSchemas>
export const auditEndpoints = endpoints(auditRoutes, auditSchemas)
