// Rules: RIGHT-29
/**
 * Periods in whole days. The display name is `setting.retention.PERIOD`. src/server/retention/tables.ts lists
 * the data of each period.
 */
export const retentionBounds = {
  declarations: { days: 365, min: 30, max: 3650 },
  deletedAccounts: { days: 30, min: 1, max: 365 },
  endedSessions: { days: 0, min: 0, max: 30 },
  loginNetworks: { days: 180, min: 30, max: 365 },
  failedAttempts: { days: 30, min: 7, max: 365 },
  oneTimeLinks: { days: 7, min: 1, max: 30 },
  failedJobs: { days: 30, min: 1, max: 90 },
  webhookDeliveries: { days: 30, min: 1, max: 90 },
  decidedActions: { days: 730, min: 90, max: 3650 },
  unusedUploads: { days: 1, min: 1, max: 30 },
} as const satisfies Record<string, { days: number; min: number; max: number }>

export type Period = keyof typeof retentionBounds
export type RetentionDays = Readonly<Record<Period, number>>

export const periods = Object.keys(retentionBounds) as readonly Period[]

export const isPeriod = (name: string): name is Period => Object.hasOwn(retentionBounds, name)

export const defaultRetention: RetentionDays = Object.fromEntries(
  periods.map((period) => [period, retentionBounds[period].days]),
) as RetentionDays

/** A period missing in old settings has its default. */
export function retentionOf(settings: { readonly retention?: Partial<RetentionDays> }): RetentionDays {
  return { ...defaultRetention, ...settings.retention }
}

/** Their older data would be deleted for good. */
export function shortenedPeriods(before: RetentionDays, after: RetentionDays): Period[] {
  return periods.filter((period) => after[period] < before[period])
}
