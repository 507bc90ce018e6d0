import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { analyticsRoutes } from '../../shared/api/analytics.ts'
import { read } from '../area/reading.ts'
import { hasAnsweredCounting } from '../count-visit.ts'
import { Button } from '../ui/Button.tsx'

const CountingQuestion = lazy(() =>
  import('../ui/CountingQuestion.tsx').then((part) => ({ default: part.CountingQuestion })),
)

/**
 * Only where analytics has a key for the page; order pages have none. No counting code loads before a yes.
 */
export function Consent() {
  const { pathname } = useLocation()
  const [isAnswered, setAnswered] = useState(hasAnsweredCounting)
  const keys = useQuery({
    ...read(analyticsRoutes.forPath, { query: { path: pathname } }),
    enabled: !isAnswered,
    staleTime: 60_000,
    retry: false,
  })
  if (isAnswered || !keys.data?.items.length) return null
  const answer = (given: 'yes' | 'no') => {
    // The cookie store API is not available everywhere.
    // oxlint-disable-next-line unicorn/no-document-cookie
    document.cookie = `consent=${given}; path=/; max-age=15552000; samesite=lax`
    setAnswered(true)
    // The document's content security policy names no provider before the answer, so reload it.
    if (given === 'yes') location.reload()
  }
  return (
    <Suspense fallback={null}>
      <CountingQuestion>
        <Button variant="secondary" onClick={() => answer('no')}>
          <Trans>No, thanks</Trans>
        </Button>
        <Button variant="secondary" onClick={() => answer('yes')}>
          <Trans>Yes, count it</Trans>
        </Button>
      </CountingQuestion>
    </Suspense>
  )
}
