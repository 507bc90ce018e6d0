import { queryClient } from '../../area/query-client.ts'

const nameOf = (token: string) => `sent ${token}`

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

/** Once the order names it. */
export const forgetSent = (token: string) => localStorage.removeItem(nameOf(token))
