import type { z } from 'zod'
import type { campaignSettings, levelSettings, localText, stageSettings } from './campaign-settings-inputs.ts'
import { percentOf } from './money.ts'

export type LocalText = z.infer<typeof localText>
export type LevelSettings = z.infer<typeof levelSettings>

export const itemsMax = 12

/** The days that the European Union gives retail buyers (Regulation 2023/1114, article 13). */
export const moneyBackDaysMin = 14
/** The maximum days of the same article. */
export const payBackDays = 14

/**
 * True if the sale itself gives money back: below the soft cap, or to who takes back. An escrow contract
 * does neither.
 */
export const givesMoneyBack = ({
  softCapPolicy,
  moneyBackDays,
}: Pick<CampaignSettings, 'softCapPolicy' | 'moneyBackDays'>): boolean =>
  softCapPolicy === 'refund' || moneyBackDays > 0

export const softCapPolicies = ['refund', 'none'] as const
export type CampaignSettings = z.infer<typeof campaignSettings>
export type StageSettings = z.infer<typeof stageSettings>

/** Supply × percent ÷ 100. */
export function shareOf(settings: Pick<CampaignSettings, 'shares' | 'totalSupply'>, key: string): string {
  const share = settings.shares.find((candidate) => candidate.key === key)
  return share ? percentOf(settings.totalSupply, share.percent) : '0'
}
