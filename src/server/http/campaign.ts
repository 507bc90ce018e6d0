import { campaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import { type Campaign, priceHistory } from '../campaign/campaign.ts'
import { type Server, serve } from './serve.ts'

/** The public figures and the price history. */
export function mountCampaign(server: Server, campaign: Campaign): void {
  // Already serialised, once a reading: this is what every visitor's page asks for.
  serve(server, campaignEndpoints.show, ({ reply }) => {
    void reply.header('cache-control', 'public, max-age=1')
    return campaign.currentJson()
  })
  serve(server, campaignEndpoints.priceHistory, async () => ({ items: await priceHistory(server.db) }))
}
