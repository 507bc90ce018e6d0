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

/** The campaign, read again every few seconds while no live events arrive. */
export function useCampaign() {
  return useQuery({ ...campaignQuery, refetchInterval: usePolling() })
}

/** The campaign's name; the document says it before the campaign is read. */
export function useCampaignName(): string {
  return useCampaign().data?.settings.name ?? documentFacts().campaignName ?? ''
}

/** The currencies that the sale takes, with their rates of now. */
export function useCurrencies() {
  return useQuery({ ...readItems(currencyRoutes.list), staleTime: 15_000, refetchInterval: 30_000 })
}

/** What the buyer holds, and the level that comes of it. */
export function useHoldings() {
  return useQuery({ ...read(holdingRoutes.show), refetchInterval: usePolling() })
}

const LOOK_AGAIN_MS = 600_000

export const orderQuery = (token: string) => read(orderRoutes.show, { params: { token } })

/** The clock changes the state of an order, and nobody tells of it: how soon orders are read again, in ms. */
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

/** Shows an order as a change has just answered it. */
export function keepOrder(order: BuyerOrder): void {
  queryClient.setQueryData(orderQuery(order.token).queryKey, order)
}

export const refundsQuery = (token: string) => ({
  ...readItems(buyerPaymentRoutes.refunds, { params: { token } }),
  retry: false,
})

/** What is owed back of an order. */
export function useRefunds(token: string) {
  return useQuery({
    ...refundsQuery(token),
    // The page asks for the blocks above a refund on its way, because no event tells of them.
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.items.some((refund) => refund.state === 'sent')
        ? pollMs
        : false,
  })
}

/** The quotes behind an order's rate. */
export const orderRateQuery = (token: string) => ({
  ...read(buyerPaymentRoutes.rate, { params: { token } }),
  retry: false,
})

/** The server's own figures of how payments settle. */
export const settlementRulesQuery = { ...read(publicPaymentRoutes.rules), staleTime: 60_000 }

export interface PurchaseQuestion {
  currency: string
  amount: string
  unit: 'token' | 'crypto'
}

/** What the server would give and ask for an amount; the last answer stays while a new one is on its way. */
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
