import { Trans } from '@lingui/react/macro'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'

/** Reads the page after those of `readPages`; nothing where there is none. */
export function Older({
  query,
  children,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  /** Left out: “Older ones”. */
  children?: ReactNode
}) {
  return query.hasNextPage ? (
    <Button
      variant="secondary"
      size="sm"
      className="mt-3"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children ?? <Trans>Older ones</Trans>}
    </Button>
  ) : null
}
