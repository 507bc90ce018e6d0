import type { PublicCampaign } from '../../shared/api/campaign.ts'

/** True if an order needs the buyer's country, because the sale or the referral reward excludes some. */
export const asksCountry = ({ settings: { buyers, referral } }: PublicCampaign): boolean =>
  buyers.countriesRefused.length + (referral?.countriesExcluded.length ?? 0) > 0
