import { campaignEndpoints, operatorCampaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { EditCampaign } from '../campaign/edit-campaign.ts'
import { editorOf } from './operator-content.ts'
import { type Server, serve } from './serve.ts'

/** The campaign as operators edit it, and the public history of what they changed. */
export function mountOperatorCampaign(
  server: Server,
  campaign: EditCampaign,
  guardOneOperator: Approvals['guardOneOperator'],
): void {
  const routes = operatorCampaignEndpoints
  serve(server, campaignEndpoints.changes, async () => ({ items: await campaign.changes() }))
  serve(server, routes.show, () => campaign.show())
  serve(server, routes.update, async ({ actor, body, request }) => {
    if (!body.settings.secondOperator) await guardOneOperator(actor.operatorId, request.id)
    return campaign.update(body.revision, body.settings, editorOf(actor, request))
  })
  serve(server, routes.addStage, ({ actor, body, request }) =>
    campaign.addStage(body, editorOf(actor, request)),
  )
  serve(server, routes.updateStage, ({ actor, params, body: { revision, ...stage }, request }) =>
    campaign.updateStage(params.id, revision, stage, editorOf(actor, request)),
  )
  serve(server, routes.removeStage, ({ actor, params, query, request }) =>
    campaign.removeStage(params.id, query.revision, editorOf(actor, request)),
  )
  serve(server, routes.setPrice, ({ actor, body, request }) =>
    campaign.setPrice(body, editorOf(actor, request)),
  )
  serve(server, routes.pause, ({ actor, body, request }) =>
    campaign.setPaused(body, editorOf(actor, request)),
  )
}
