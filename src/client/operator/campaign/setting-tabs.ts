import type { CampaignSettings } from '../../../shared/campaign-settings.ts'

export const settingTabs = ['stages', 'token', 'supply', 'levels', 'buyers', 'texts', 'running'] as const
export type SettingTab = (typeof settingTabs)[number]

/** Where each setting has its fields: the compiler misses one without a tab. */
export const tabOfSetting: Record<keyof CampaignSettings, SettingTab> = {
  name: 'token',
  symbol: 'token',
  tagline: 'token',
  purpose: 'token',
  seller: 'token',
  totalSupply: 'supply',
  hardCapUsd: 'supply',
  softCapUsd: 'supply',
  softCapPolicy: 'supply',
  orderMinimumTokens: 'supply',
  orderMaximumTokens: 'supply',
  orderDefaultTokens: 'supply',
  shares: 'supply',
  soldShare: 'supply',
  bonusShare: 'supply',
  levels: 'levels',
  referral: 'levels',
  buyers: 'buyers',
  delivery: 'buyers',
  listingDate: 'buyers',
  faq: 'texts',
  comments: 'texts',
  followers: 'texts',
  operatorUtcOffsetMinutes: 'running',
  quoteMinutes: 'running',
  expiryMinutes: 'running',
  feedRateMaxMinutes: 'running',
  retention: 'running',
  secondOperator: 'running',
  brand: 'running',
  languages: 'running',
  frameOrigins: 'running',
  exchangeVideoUrl: 'running',
  videoOrigins: 'running',
  sourceUrl: 'running',
}

/** The tab that an address names, if there is one of that name. */
export const isSettingTab = (name: string | undefined): name is SettingTab =>
  settingTabs.some((tab) => tab === name)

/** The tab of a setting, or of a path in one; of anything else the stages. */
export const tabOf = (path: string): SettingTab =>
  tabOfSetting[(path.split('.')[0] ?? '') as keyof CampaignSettings] ?? 'stages'
