import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { livePath } from '../../shared/api/live.ts'

/** What a change of an order can show in. */
const OF_ORDERS = [
  'orders',
  'order',
  'approved',
  'payments',
  'refunds',
  'overview',
  'user',
  'users',
  'pending-actions',
]

/** Reads the orders, and what stands on them, again at once when one of them changes, for a role that may read them; a stream that breaks is opened again by the browser. */
export function useLiveOrders(mayRead: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!mayRead) return
    let source: EventSource
    let again: ReturnType<typeof setTimeout>
    const refresh = () => {
      for (const key of OF_ORDERS) void client.invalidateQueries({ queryKey: [key] })
    }
    const listen = () => {
      source = new EventSource(`${livePath}?operator=1`)
      source.addEventListener('orders', refresh)
      source.addEventListener(
        'actions',
        () => void client.invalidateQueries({ queryKey: ['pending-actions'] }),
      )
      // What happened while nobody listened is read again, also between the page's own reading and now.
      source.addEventListener('open', refresh)
      source.addEventListener('error', () => {
        // A refusal, such as an ended session, closes it for good: try again calmly.
        if (source.readyState === EventSource.CLOSED) again = setTimeout(listen, 10_000)
      })
    }
    listen()
    return () => {
      clearTimeout(again)
      source.close()
    }
  }, [client, mayRead])
}
