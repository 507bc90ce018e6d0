import { queryOptions } from '@tanstack/react-query'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { setServerTime } from '../ui/clock.ts'
import { call } from './call.ts'
import { keyOf } from './reading.ts'

/** Also sets the pages' clock by the answer. */
export async function readCampaign(signal: AbortSignal) {
  const campaign = await call(campaignRoutes.show, { signal })
  setServerTime(campaign.serverTime)
  return campaign
}

export const campaignQuery = queryOptions({
  queryKey: keyOf(campaignRoutes.show),
  queryFn: ({ signal }) => readCampaign(signal),
  staleTime: 10_000,
})
