import { useInfiniteQuery } from '@tanstack/react-query'
import { orderRoutes } from '../../../shared/api/orders.ts'
import { api } from '../../api.ts'
import { usePolling } from '../live.ts'

const ordersPerPage = 10

/** Own orders, newest first; more pages are fetched by their cursor. */
export function useOrders() {
  return useInfiniteQuery({
    queryKey: ['orders'],
    queryFn: ({ signal, pageParam }) =>
      api(orderRoutes.list, {
        query: { limit: ordersPerPage, ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchInterval: usePolling(),
  })
}
