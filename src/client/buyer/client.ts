import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isPassing, isSessionOver } from '../errors.ts'

/** Called when an answer says that the session is over; the router sends to the login and back. */
let onSessionOver: () => void = () => {}

export function whenSessionOver(act: () => void) {
  onSessionOver = act
}

const noticeSessionOver = (error: unknown) => {
  if (isSessionOver(error)) onSessionOver()
}

const passingRetries = 30

/**
 * Reads and writes alike wait while the browser is offline and go on when it is back. A write is repeated only
 * where no answer came; what creates carries an idempotency key, so a repeat has no second effect.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionOver }),
  mutationCache: new MutationCache({ onError: noticeSessionOver }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      retry: (count, error) => isPassing(error) && count < 2,
      refetchOnWindowFocus: true,
    },
  },
})

/** For mutations that carry an idempotency key: keep trying until an answer comes. */
export const untilAnswered = {
  retry: (count: number, error: unknown) => isPassing(error) && count < passingRetries,
  retryDelay: (count: number) => Math.min(1_000 * 2 ** count, 5_000),
}
