import { campaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Server, serve } from './serve.ts'

/** The public figures and the price history. */
export function mountCampaign(server: Server, campaign: Campaign): void {
  // Already serialised, once a reading: this is what every visitor's page asks for.
  serve(server, campaignEndpoints.show, ({ reply }) => {
    // No cache on the way keeps it: whoever is told of new terms has to read them.
    void reply.header('cache-control', 'no-cache')
    return campaign.currentJson()
  })
  serve(server, campaignEndpoints.priceHistory, ({ query }) => campaign.prices(query))
}
