import type { PublicCampaign } from '../../shared/api/campaign.ts'

/** Whether an order asks where its buyer lives: because the sale, or the reward for bringing buyers, is not open everywhere. */
export const asksCountry = ({ settings: { buyers, referral } }: PublicCampaign): boolean =>
  buyers.countriesRefused.length + (referral?.countriesExcluded.length ?? 0) > 0
