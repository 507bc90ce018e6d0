import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { livePath } from '../../shared/api/live.ts'

/** Reads the orders again at once when one of them changes, for a role that may read them; a stream that breaks is opened again by the browser. */
export function useLiveOrders(mayRead: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!mayRead) return
    let source: EventSource
    let again: ReturnType<typeof setTimeout>
    let broken = false
    const refresh = () => {
      for (const key of ['orders', 'order', 'approved', 'overview', 'user', 'users', 'pending-actions'])
        void client.invalidateQueries({ queryKey: [key] })
    }
    const listen = () => {
      source = new EventSource(`${livePath}?operator=1`)
      source.addEventListener('orders', refresh)
      source.addEventListener(
        'actions',
        () => void client.invalidateQueries({ queryKey: ['pending-actions'] }),
      )
      source.addEventListener('open', () => {
        // What happened while nobody listened is read again.
        if (broken) refresh()
        broken = false
      })
      source.addEventListener('error', () => {
        broken = true
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
