import type { z } from 'zod'
import type {
  campaignChange,
  campaignSchemas,
  operatorCampaign,
  operatorCampaignSchemas,
  publicCampaign,
  publicStage,
} from './campaign-schemas.ts'
import { executes, routes } from './route.ts'

export const stageStates = ['upcoming', 'open', 'paused', 'goal_reached', 'ended'] as const
export const softCapVerdicts = ['reached', 'missed'] as const
export type PublicStage = z.infer<typeof publicStage>
export type PublicCampaign = z.infer<typeof publicCampaign>
export type CampaignChange = z.infer<typeof campaignChange>

export const campaignRoutes = routes<typeof campaignSchemas>()({
  show: { method: 'GET', path: '/campaign', audience: 'visitor' },
  priceHistory: { method: 'GET', path: '/campaign/prices', audience: 'visitor' },
  changes: { method: 'GET', path: '/campaign/changes', audience: 'visitor' },
})

export type OperatorCampaign = z.infer<typeof operatorCampaign>

export const operatorCampaignRoutes = routes<typeof operatorCampaignSchemas>()({
  show: { method: 'GET', path: '/operator/campaign', audience: { operator: 'any' } },
  update: { method: 'PUT', path: '/operator/campaign', ...executes('campaign.update') },
  preview: { method: 'POST', path: '/operator/campaign/preview', ...executes('campaign.preview') },
  older: { method: 'GET', path: '/operator/campaign/older', audience: { operator: 'campaign:write' } },
  addStage: { method: 'POST', path: '/operator/stages', ...executes('stage.add') },
  updateStage: { method: 'PUT', path: '/operator/stages/:id', ...executes('stage.update') },
  removeStage: { method: 'DELETE', path: '/operator/stages/:id', ...executes('stage.remove') },
  setPrice: {
    method: 'PUT',
    path: '/operator/price',
    ...executes('price.change'),
  },
  pause: { method: 'PUT', path: '/operator/pause', ...executes('campaign.pause') },
})
