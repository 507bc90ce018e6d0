import { z } from 'zod'
import { instant, numberInPath, route } from './route.ts'

/** Read from the key's shape or chosen. `other` is kept but never used: nothing here knows where to send to. */
export const analyticsProviders = ['plausible', 'ga4', 'meta', 'other'] as const
export type AnalyticsProvider = (typeof analyticsProviders)[number]

export const analyticsKey = z.object({
  id: z.number().int(),
  apiKey: z.string(),
  /** Masked (`••••1a2b`); null where there is none. */
  secondaryMasked: z.string().nullable(),
  location: z.string(),
  provider: z.enum(analyticsProviders),
  createdAt: instant,
  revision: z.number().int(),
})
export type AnalyticsKey = z.infer<typeof analyticsKey>

/** Messages are those of SPEC section 5. */
export const analyticsKeyInput = z.object({
  apiKey: z.string().trim().min(1, 'API Key is required').max(200),
  /** Empty or null: none. Left out in a change: stays as it is. */
  apiKeySecondary: z.string().trim().max(500).nullable().optional(),
  location: z.string().trim().min(1, 'Location is required').max(200),
  provider: z.enum(analyticsProviders).optional(),
})
export type AnalyticsKeyInput = z.input<typeof analyticsKeyInput>

const byId = z.object({ id: numberInPath })

export const analyticsRoutes = {
  forPath: route({
    method: 'GET',
    path: '/analytics',
    summary: 'Keys that are used on one page, after the visitor agreed; none on order and operator pages.',
    audience: 'visitor',
    query: z.object({ path: z.string().min(1).max(500) }),
    reply: z.object({
      items: z.array(
        z.object({ provider: z.enum(analyticsProviders), key: z.string(), location: z.string() }),
      ),
    }),
  }),
} as const

export const operatorAnalyticsRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/analytics',
    summary: 'All analytics keys, oldest first; secondary ones masked.',
    audience: { operator: 'analytics:write' },
    reply: z.object({ items: z.array(analyticsKey) }),
  }),
  add: route({
    method: 'POST',
    path: '/operator/analytics',
    summary: 'Adds a key for one location.',
    audience: { operator: 'analytics:write' },
    body: analyticsKeyInput,
    reply: analyticsKey,
    errors: ['location_refused', 'key_exists'],
  }),
  update: route({
    method: 'PUT',
    path: '/operator/analytics/:id',
    summary: 'Changes a key if nobody changed it since `revision`.',
    audience: { operator: 'analytics:write' },
    params: byId,
    body: analyticsKeyInput.extend({ revision: z.number().int() }),
    reply: analyticsKey,
    errors: ['not_found', 'conflict', 'location_refused', 'key_exists'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/operator/analytics/:id',
    summary: 'Deletes a key.',
    audience: { operator: 'analytics:write' },
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  }),
} as const
