import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { currencyRoutes } from '../../shared/api/currencies.ts'
import { holdingRoutes } from '../../shared/api/holdings.ts'
import { type BuyerOrder, orderRoutes, quoteRoutes } from '../../shared/api/orders.ts'
import { buyerPaymentRoutes, publicPaymentRoutes } from '../../shared/api/payments.ts'
import { api } from '../api.ts'
import { setServerTime } from '../ui/clock.ts'
import { pollMs, usePolling } from './live.ts'

/** The campaign's settings and public figures: what nearly every page reads. */
export const campaignQuery = queryOptions({
  queryKey: ['campaign'],
  queryFn: async ({ signal }) => {
    const campaign = await api(campaignRoutes.show, { signal })
    setServerTime(campaign.serverTime)
    return campaign
  },
  staleTime: 10_000,
})

export function useCampaign() {
  return useQuery({ ...campaignQuery, refetchInterval: usePolling() })
}

export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: async ({ signal }) => (await api(currencyRoutes.list, { signal })).items,
  staleTime: 15_000,
  refetchInterval: 30_000,
})

export function useCurrencies() {
  return useQuery(currenciesQuery)
}

export const holdingsQuery = queryOptions({
  queryKey: ['holdings'],
  queryFn: ({ signal }) => api(holdingRoutes.show, { signal }),
})

export function useHoldings() {
  return useQuery({ ...holdingsQuery, refetchInterval: usePolling() })
}

export function useLeaderboard() {
  return useQuery({
    queryKey: ['leaderboard'],
    queryFn: ({ signal }) => api(holdingRoutes.leaderboard, { signal }),
    refetchInterval: 60_000,
  })
}

export function orderQuery(token: string) {
  return queryOptions({
    queryKey: ['order', token],
    queryFn: ({ signal }): Promise<BuyerOrder> => api(orderRoutes.show, { params: { token }, signal }),
  })
}

/** What is owed back of an order. Its key begins with the order's, so that whatever makes the order old makes it old too. */
export function refundsQuery(token: string) {
  return queryOptions({
    queryKey: ['order', token, 'refunds'],
    queryFn: async ({ signal }) =>
      (await api(buyerPaymentRoutes.refunds, { params: { token }, signal })).items,
    retry: false,
    // The blocks above a refund on its way are no news of the order: they are asked for.
    refetchInterval: (query) =>
      query.state.status === 'error' || query.state.data?.some((refund) => refund.state === 'sent')
        ? pollMs
        : false,
  })
}

/** The quotes behind an order's rate. */
export function orderRateQuery(token: string) {
  return queryOptions({
    queryKey: ['order', token, 'rate'],
    queryFn: ({ signal }) => api(buyerPaymentRoutes.rate, { params: { token }, signal }),
    retry: false,
  })
}

/** How payments settle: the server's own figures. */
export const settlementRulesQuery = queryOptions({
  queryKey: ['settlement-rules'],
  queryFn: ({ signal }) => api(publicPaymentRoutes.rules, { signal }),
  staleTime: 60_000,
})

export interface QuoteQuestion {
  currency: string
  amount: string
  unit: 'token' | 'crypto'
}

/** What the server would give and ask for an amount; the last answer stays while a new one is on its way. */
export function useQuotePreview(question: QuoteQuestion | null) {
  return useQuery({
    queryKey: ['quote', question],
    queryFn: ({ signal }) => api(quoteRoutes.preview, { body: question as QuoteQuestion, signal }),
    enabled: question !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  })
}
