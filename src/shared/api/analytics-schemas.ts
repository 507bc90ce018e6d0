import { z } from 'zod'
import { analyticsProviders, analyticsRoutes, operatorAnalyticsRoutes } from './analytics.ts'
import { analyticsKeyInput } from './analytics-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath, READ_FOR_ALL } from './route-schemas.ts'

export const analyticsKey = z.object({
  id: z.number().int(),
  apiKey: z.string(),
  /** Masked (`••••1a2b`). */
  secondaryMasked: z.string().nullable(),
  location: z.string(),
  provider: z.enum(analyticsProviders),
  createdAt: instant,
  revision: z.number().int(),
})

const byId = z.object({ id: numberInPath })

export const analyticsSchemas = {
  forPath: {
    summary: 'Keys that are used on one page, after the visitor agreed; none on order and operator pages.',
    cost: READ_FOR_ALL,
    query: z.object({ path: z.string().min(1).max(500) }),
    reply: z.object({
      items: z.array(
        z.object({ provider: z.enum(analyticsProviders), key: z.string(), location: z.string() }),
      ),
    }),
  },
} as const satisfies Record<string, RouteSchemas>
export const analyticsEndpoints = endpoints(analyticsRoutes, analyticsSchemas)

export const operatorAnalyticsSchemas = {
  list: {
    summary: 'All analytics keys, oldest first; secondary ones masked.',
    reply: z.object({ items: z.array(analyticsKey) }),
  },
  add: {
    summary: 'Adds a key for one location.',
    body: analyticsKeyInput,
    reply: analyticsKey,
    errors: ['location_refused', 'key_exists'],
  },
  update: {
    summary: 'Changes a key if nobody changed it since `revision`.',
    params: byId,
    body: analyticsKeyInput.extend({ revision: z.number().int() }),
    reply: analyticsKey,
    errors: ['not_found', 'conflict', 'location_refused', 'key_exists'],
  },
  remove: {
    summary: 'Deletes a key.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorAnalyticsEndpoints = endpoints(operatorAnalyticsRoutes, operatorAnalyticsSchemas)
