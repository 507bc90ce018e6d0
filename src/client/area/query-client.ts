import { QueryClient } from '@tanstack/react-query'
import { isPassing } from '../errors.ts'

/** What these pages have read. Reads and changes alike wait while the browser is offline and go on when it is back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 1_000, retry: (count, error) => isPassing(error) && count < 2 },
    mutations: { retry: false },
  },
})
