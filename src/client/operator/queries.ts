import { queryOptions, useQuery } from '@tanstack/react-query'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { campaignRoutes, operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import { operatorCurrencyRoutes } from '../../shared/api/currencies.ts'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { overviewRoutes } from '../../shared/api/overview.ts'
import { api } from '../api.ts'
import { readCampaign } from '../area/campaign.ts'
import { keyOf, read, readItems, refreshMs } from '../area/reading.ts'
import { answeredStatus } from '../errors.ts'

export const sessionQuery = queryOptions({
  queryKey: keyOf(operatorSessionRoutes.show),
  // `api` and not `call`, because the login form uses this query and must not redirect to itself.
  queryFn: ({ signal }) => api(operatorSessionRoutes.show, { signal }),
  staleTime: 60_000,
})

/** Null before a campaign exists. */
export const publicCampaignQuery = queryOptions({
  queryKey: keyOf(campaignRoutes.show),
  queryFn: async ({ signal }) => {
    try {
      return await readCampaign(signal)
    } catch (error) {
      if (answeredStatus(error) === 404) return null
      throw error
    }
  },
  staleTime: refreshMs,
})

export const campaignQuery = { ...read(operatorCampaignRoutes.show), staleTime: 5_000 }

export const currenciesQuery = { ...readItems(operatorCurrencyRoutes.list), refetchInterval: refreshMs }

/** Polled: the server caches the overview, so a refresh after an event may return the state before it. */
export const overviewQuery = { ...read(overviewRoutes.show), refetchInterval: 5_000 }

export const approvalRequestsQuery = {
  ...read(approvalRoutes.list, { query: { state: 'waiting' } }),
  refetchInterval: refreshMs,
}

export function usePublicCampaign() {
  return useQuery(publicCampaignQuery).data ?? null
}

/** Empty until known, because a wrong one would mislead. */
export function useSymbol(): string {
  return usePublicCampaign()?.settings.symbol ?? ''
}

/** The zone for `Intl`: `+03:00`. */
export function useOperatorZone(): string {
  return offsetZone(usePublicCampaign()?.settings.operatorUtcOffsetMinutes ?? 0)
}

export function offsetZone(minutes: number): string {
  const whole = Math.abs(minutes)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${part(Math.trunc(whole / 60))}:${part(whole % 60)}`
}
