import { queryClient } from '../area/query-client.ts'
import { isOnServer } from '../document-facts.ts'

const nameOf = (token: string) => `sent ${token}`

// Whoever has the order open in another tab is not asked for what was sent in this one.
if (!isOnServer)
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue && key?.startsWith(nameOf(''))) queryClient.setQueryData([key], newValue)
  })

/** The id of what a wallet of this browser has sent for an order. It outlasts a reload and a login, because the money is gone. */
export const sentQuery = (token: string) => ({
  queryKey: [nameOf(token)],
  queryFn: () => localStorage.getItem(nameOf(token)),
  staleTime: Number.POSITIVE_INFINITY,
})

export function keepSent(token: string, id: string): void {
  queryClient.setQueryData([nameOf(token)], id)
  try {
    localStorage.setItem(nameOf(token), id)
  } catch {
    // A browser that keeps nothing names it at once or not at all.
  }
}

/** Once the order names it, or what the buyer typed in its place. */
export function forgetSent(token: string): void {
  queryClient.setQueryData([nameOf(token)], null)
  try {
    localStorage.removeItem(nameOf(token))
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
