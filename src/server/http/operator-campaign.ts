import { campaignEndpoints, operatorCampaignEndpoints as routes } from '../../shared/api/campaign-schemas.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Server, serve, serveAction, serveActions } from './serve.ts'

export function mountOperatorCampaign(server: Server, campaign: Campaign): void {
  const { actions } = campaign
  serve(server, campaignEndpoints.changes, ({ query }) => campaign.history(query))
  serve(server, routes.show, () => campaign.show())
  serve(server, routes.older, async ({ query }) => ({ items: await campaign.older(query) }))
  serveAction(
    server,
    routes.updateStage,
    actions['stage.update'],
    ({ params, body: { revision, ...stage } }) => ({
      id: params.id,
      revision,
      stage,
    }),
  )
  serveAction(server, routes.removeStage, actions['stage.remove'], ({ params, query }) => ({
    id: params.id,
    revision: query.revision,
  }))
  serveActions(server, routes, actions)
}
