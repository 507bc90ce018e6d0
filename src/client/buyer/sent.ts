import { queryClient } from '../area/query-client.ts'
import { isOnServer } from '../document-facts.ts'

const nameOf = (token: string) => `sent ${token}`

// Another tab with the same order learns of the transaction sent in this one.
if (!isOnServer)
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue && key?.startsWith(nameOf(''))) queryClient.setQueryData([key], newValue)
  })

/**
 * The id of the transaction that a wallet of this browser sent for an order. Stored, so that it survives a
 * reload and a login.
 */
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
    // Without storage, the id can only be submitted at once.
  }
}

/** The order names the payment, or the buyer typed another one. */
export function forgetSent(token: string): void {
  queryClient.setQueryData([nameOf(token)], null)
  try {
    localStorage.removeItem(nameOf(token))
  } catch {
    // Without storage there is nothing to forget.
  }
}
