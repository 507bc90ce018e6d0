import { queryOptions, useQuery } from '@tanstack/react-query'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { campaignRoutes, operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import { operatorCurrencyRoutes } from '../../shared/api/currencies.ts'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { overviewRoutes } from '../../shared/api/overview.ts'
import { ApiError, call } from '../api.ts'
import { setServerTime } from '../ui/clock.ts'
import { act } from './act.ts'

/** Lists are read again this often besides what the live events say. */
export const refreshMs = 30_000

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Who asks decides what an ended session leads to: the login form must not lead to itself.
  queryFn: ({ signal }) => call(operatorSessionRoutes.show, { signal }),
  staleTime: 60_000,
})

/** What anyone may see of the campaign; null while none is set up. */
export const publicCampaignQuery = queryOptions({
  queryKey: ['public-campaign'],
  queryFn: async ({ signal }) => {
    try {
      const campaign = await act(campaignRoutes.show, { signal })
      setServerTime(campaign.serverTime)
      return campaign
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  staleTime: refreshMs,
})

export const campaignQuery = queryOptions({
  queryKey: ['campaign'],
  queryFn: ({ signal }) => act(operatorCampaignRoutes.show, { signal }),
  staleTime: 5_000,
})

export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: async ({ signal }) => (await act(operatorCurrencyRoutes.list, { signal })).items,
  refetchInterval: refreshMs,
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => act(overviewRoutes.show, { signal }),
  // The server shares one reading: what a live event asks for at once may still be the one from before it.
  refetchInterval: 5_000,
})

export const waitingActionsQuery = queryOptions({
  queryKey: ['pending-actions', 'waiting'],
  queryFn: async ({ signal }) =>
    (await act(approvalRoutes.list, { query: { state: 'waiting' }, signal })).items,
  refetchInterval: refreshMs,
})

export function usePublicCampaign() {
  return useQuery(publicCampaignQuery).data ?? null
}

/** The token's symbol, a campaign setting. */
export function useSymbol(): string {
  return usePublicCampaign()?.settings.symbol ?? 'ITOKEN'
}

/** The operators' time zone as `Intl` takes it (`+03:00`). */
export function useOperatorZone(): string {
  return offsetZone(usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0)
}

export function offsetZone(minutes: number): string {
  const whole = Math.abs(minutes)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${part(Math.trunc(whole / 60))}:${part(whole % 60)}`
}
