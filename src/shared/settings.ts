import type { CampaignSettings } from './campaign-settings.ts'

/** Tabs of the form, in order. */
export const settingSections = ['token', 'supply', 'levels', 'buyers', 'texts', 'running'] as const
export type SettingSection = (typeof settingSections)[number]

/** Formats in the history of changes. */
export type SettingUnit = 'tokens' | 'usd' | 'price' | 'percent' | 'day' | 'moment' | 'minutes' | 'days'

/** Schema and default are in `campaign-settings-inputs.ts`. */
export interface SettingRow {
  readonly section: SettingSection
  /** Left out: shown as stored. */
  readonly unit?: SettingUnit | Readonly<Record<string, SettingUnit>>
  /** True for looks only: not in the public history. */
  readonly isPrivate?: true
  /**
   * `fixed` protects buyers: the first order fixes it (`setting_locked`). Rules for parts are in
   * `change-rules.ts`.
   */
  readonly lock?: 'fixed'
}

/** Form, public history, journal and the rules of changes use this table. */
export const settingRows = {
  name: { section: 'token' },
  symbol: { section: 'token' },
  tagline: { section: 'token', isPrivate: true },
  purpose: { section: 'token' },
  seller: { section: 'token' },
  totalSupply: { section: 'supply', unit: 'tokens', lock: 'fixed' },
  hardCapUsd: { section: 'supply', unit: 'usd', lock: 'fixed' },
  softCapUsd: { section: 'supply', unit: 'usd', lock: 'fixed' },
  softCapPolicy: { section: 'supply', lock: 'fixed' },
  shares: { section: 'supply', unit: { percent: 'percent' } },
  soldShare: { section: 'supply', lock: 'fixed' },
  bonusShare: { section: 'supply', lock: 'fixed' },
  buyers: { section: 'buyers' },
  moneyBackDays: { section: 'buyers', unit: 'days' },
  operatorUtcOffsetMinutes: { section: 'running', isPrivate: true },
  orderMinimumTokens: { section: 'supply', unit: 'tokens' },
  orderMaximumTokens: { section: 'supply', unit: 'tokens' },
  orderDefaultTokens: { section: 'supply', unit: 'tokens', isPrivate: true },
  listingDate: { section: 'buyers', unit: 'day' },
  levels: {
    section: 'levels',
    unit: { threshold: 'tokens', bonusPercent: 'percent' },
  },
  delivery: { section: 'buyers', unit: { date: 'day' } },
  brand: { section: 'running', isPrivate: true },
  expiryMinutes: { section: 'running', unit: 'minutes' },
  feedRateMaxMinutes: { section: 'running', unit: 'minutes' },
  secondOperator: { section: 'running' },
  retention: { section: 'running', unit: 'days' },
  referral: {
    section: 'levels',
    unit: { percent: 'percent', mostTokensEach: 'tokens', mostTokens: 'tokens' },
  },
  faq: { section: 'texts' },
  comments: { section: 'texts' },
  followers: { section: 'texts' },
  languages: { section: 'running', isPrivate: true },
  frameOrigins: { section: 'running', isPrivate: true },
  exchangeVideoUrl: { section: 'running', isPrivate: true },
  videoOrigins: { section: 'running', isPrivate: true },
  sourceUrl: { section: 'running', isPrivate: true },
} as const satisfies Record<keyof CampaignSettings, SettingRow>

export const stageUnits: Readonly<Record<string, SettingUnit>> = {
  goalUsd: 'usd',
  priceUsd: 'price',
  startsAt: 'moment',
  endsAt: 'moment',
}

const rows: Readonly<Record<string, SettingRow>> = settingRows

/** The row of a setting or of a path in it (`levels.0.threshold`); undefined for others, such as a stage. */
export const settingRow = (path: string): SettingRow | undefined => rows[path.split('.')[0] ?? '']

/** Locked settings in the table's order. */
export const settingsLocked = (Object.keys(settingRows) as (keyof CampaignSettings)[]).filter(
  (name) => rows[name]?.lock,
) as {
  [N in keyof typeof settingRows]: (typeof settingRows)[N] extends { lock: string } ? N : never
}[keyof typeof settingRows][]
