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
  // Plain `api`: the login form asks as well, and must not be led to itself.
  queryFn: ({ signal }) => api(operatorSessionRoutes.show, { signal }),
  staleTime: 60_000,
})

/** What anyone may see of the campaign; null while none is set up. */
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

/** The server shares one reading: what a live event asks for at once may still be the one from before it. */
export const overviewQuery = { ...read(overviewRoutes.show), refetchInterval: 5_000 }

export const approvalRequestsQuery = {
  ...read(approvalRoutes.list, { query: { state: 'waiting' } }),
  refetchInterval: refreshMs,
}

export function usePublicCampaign() {
  return useQuery(publicCampaignQuery).data ?? null
}

/** The token's symbol, a campaign setting; empty until it is known, because another sale's name would be untrue. */
export function useSymbol(): string {
  return usePublicCampaign()?.settings.symbol ?? ''
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
