import type { z } from 'zod'
import type { analyticsKeyInput } from './analytics-inputs.ts'
import type { analyticsKey, analyticsSchemas, operatorAnalyticsSchemas } from './analytics-schemas.ts'
import { executes, routes } from './route.ts'

/** `other` is stored but never used, because its address is unknown. */
export const analyticsProviders = ['plausible', 'ga4', 'meta', 'other'] as const
export type AnalyticsProvider = (typeof analyticsProviders)[number]
export type AnalyticsKey = z.infer<typeof analyticsKey>
export type AnalyticsKeyInput = z.input<typeof analyticsKeyInput>

export const analyticsRoutes = routes<typeof analyticsSchemas>()({
  forPath: { method: 'GET', path: '/analytics', audience: 'visitor' },
})

export const operatorAnalyticsRoutes = routes<typeof operatorAnalyticsSchemas>()({
  list: { method: 'GET', path: '/operator/analytics', audience: { operator: 'analytics:write' } },
  add: { method: 'POST', path: '/operator/analytics', ...executes('analytics.add') },
  update: { method: 'PUT', path: '/operator/analytics/:id', ...executes('analytics.update') },
  remove: { method: 'DELETE', path: '/operator/analytics/:id', ...executes('analytics.remove') },
})
