import type { PublicCampaign } from '../../shared/api/campaign.ts'

/** True if the sale or the referral reward excludes countries. */
export const asksCountry = ({ settings: { buyers, referral } }: PublicCampaign): boolean =>
  buyers.countriesRefused.length + (referral?.countriesExcluded.length ?? 0) > 0
