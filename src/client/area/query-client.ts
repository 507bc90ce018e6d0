import { QueryClient } from '@tanstack/react-query'
import { isPassing } from '../errors.ts'

/** Offline, reads wait for the network and changes fail at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 1_000, retry: (count, error) => isPassing(error) && count < 2 },
    mutations: { retry: false, networkMode: 'always' },
  },
})
