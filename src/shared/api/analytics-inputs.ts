import { z } from 'zod'
import { analyticsProviders } from './analytics.ts'

export const analyticsKeyInput = z.object({
  apiKey: z.string().trim().min(1, 'api_key_missing').max(200),
  /** Empty or null: none. Left out in a change: unchanged. */
  apiKeySecondary: z.string().trim().max(500).nullable().optional(),
  location: z.string().trim().min(1, 'location_missing').max(200),
  provider: z.enum(analyticsProviders).optional(),
})
