import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { currencyRoutes } from '../../shared/api/currencies.ts'
import { holdingRoutes } from '../../shared/api/holdings.ts'
import { type BuyerOrder, orderRoutes } from '../../shared/api/orders.ts'
import { buyerPaymentRoutes, publicPaymentRoutes } from '../../shared/api/payments.ts'
import { campaignQuery } from '../area/campaign.ts'
import { pollMs, usePolling } from '../area/live-stream.ts'
import { queryClient } from '../area/query-client.ts'
import { read, readItems } from '../area/reading.ts'
import { documentFacts } from '../document-facts.ts'
import { serverNow } from '../ui/clock.ts'

export function useCampaign() {
  return useQuery({ ...campaignQuery, refetchInterval: usePolling() })
}

/** The document's name until the campaign is loaded. */
export function useCampaignName(): string {
  return useCampaign().data?.settings.name ?? documentFacts().campaignName ?? ''
}

export function useCurrencies() {
  return useQuery({ ...readItems(currencyRoutes.list), staleTime: 15_000, refetchInterval: 30_000 })
}

export function useHoldings() {
  return useQuery({ ...read(holdingRoutes.show), refetchInterval: usePolling() })
}

const LOOK_AGAIN_MS = 600_000

export const orderQuery = (token: string) => read(orderRoutes.show, { params: { token } })

/**
 * Returns how soon orders must be read again, in ms: the clock changes their state and no event reports it.
 */
export function untilOrdersChange(
  orders: readonly Pick<BuyerOrder, 'status' | 'expiresAt'>[] | undefined,
  polling: number | false,
): number | false {
  const waits = (orders ?? []).map(({ status, expiresAt }) => {
    const left = Date.parse(expiresAt) - serverNow()
    return left > 0 ? left + 1_000 : status === 'pending' ? LOOK_AGAIN_MS : Number.POSITIVE_INFINITY
  })
  const soonest = Math.min(...waits, polling || Number.POSITIVE_INFINITY)
  return soonest === Number.POSITIVE_INFINITY ? false : Math.min(soonest, LOOK_AGAIN_MS)
}

export function keepOrder(order: BuyerOrder): void {
  queryClient.setQueryData(orderQuery(order.token).queryKey, order)
}

export const refundsQuery = (token: string) => ({
  ...readItems(buyerPaymentRoutes.refunds, { params: { token } }),
  retry: false,
})

export function useRefunds(token: string) {
  return useQuery({
    ...refundsQuery(token),
    // No event reports new blocks, so poll while a refund waits for confirmations.
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.items.some((refund) => refund.state === 'sent')
        ? pollMs
        : false,
  })
}

export const orderRateQuery = (token: string) => ({
  ...read(buyerPaymentRoutes.rate, { params: { token } }),
  retry: false,
})

export const settlementRulesQuery = { ...read(publicPaymentRoutes.rules), staleTime: 60_000 }

export interface PurchaseQuestion {
  currency: string
  amount: string
  unit: 'token' | 'crypto'
}

export function usePreview(question: PurchaseQuestion | null, refetchInterval?: number) {
  return useQuery({
    ...read(orderRoutes.preview, { body: question as PurchaseQuestion }),
    enabled: question !== null,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval,
    retry: false,
  })
}
