import { campaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Server, serve } from './serve.ts'

export function mountCampaign(server: Server, campaign: Campaign): void {
  // Once per read, because every visitor's page requests it.
  serve(server, campaignEndpoints.show, ({ reply }) => {
    // A reader notified of new terms gets them.
    void reply.header('cache-control', 'no-cache')
    return campaign.currentJson()
  })
  serve(server, campaignEndpoints.priceHistory, ({ query }) => campaign.prices(query))
}
