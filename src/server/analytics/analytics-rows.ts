import type { AnalyticsKey, AnalyticsProvider } from '../../shared/api/analytics.ts'
import { fragment } from '../database/database.ts'

export interface AnalyticsRow {
  readonly id: string
  readonly api_key: string
  readonly secondary_encrypted: Buffer | null
  readonly secondary_hint: string | null
  readonly location: string
  readonly provider: AnalyticsProvider
  readonly revision: number
  readonly created_at: Date
}

export const analyticsColumns = fragment`id, api_key, secondary_encrypted, secondary_hint, location, provider, revision, created_at`

/** Sealed with the row's id. */
export const SECONDARY_PURPOSE = 'analytics-secondary-key'

export function analyticsKey(row: AnalyticsRow): AnalyticsKey {
  return {
    id: Number(row.id),
    apiKey: row.api_key,
    secondaryMasked: row.secondary_hint === null ? null : `••••${row.secondary_hint}`,
    location: row.location,
    provider: row.provider,
    createdAt: row.created_at.toISOString(),
    revision: row.revision,
  }
}
