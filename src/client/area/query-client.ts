import { QueryClient } from '@tanstack/react-query'
import { isPassing } from '../errors.ts'

/**
 * What these pages have read. While the browser is offline reads wait until it is back; a change is tried all the same, so
 * that whoever made it is told.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 1_000, retry: (count, error) => isPassing(error) && count < 2 },
    mutations: { retry: false, networkMode: 'always' },
  },
})
