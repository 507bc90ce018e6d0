import { useInfiniteQuery } from '@tanstack/react-query'
import { orderRoutes } from '../../../shared/api/orders.ts'
import { usePolling } from '../../area/live-stream.ts'
import { readPages } from '../../area/reading.ts'

const ordersPerPage = 10

/** Own orders, newest first; more pages are fetched by their cursor. */
export function useOrders() {
  return useInfiniteQuery({
    ...readPages(orderRoutes.list, { limit: ordersPerPage }),
    refetchInterval: usePolling(),
  })
}
