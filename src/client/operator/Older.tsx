import { Trans } from '@lingui/react/macro'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { InItsPlace } from '../area/InItsPlace.tsx'
import { Button } from '../ui/Button.tsx'

/** A text replaces the last button, so that the focus is not lost. */
export function Older({
  query,
  children,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  /** Left out: “Older ones”. */
  children?: ReactNode
}) {
  const [wasPressed, setPressed] = useState(false)
  if (query.hasNextPage === false && wasPressed)
    return (
      <InItsPlace isAnswer>
        <p className="mt-3 text-sm text-soft">
          <Trans>These are all.</Trans>
        </p>
      </InItsPlace>
    )
  return query.hasNextPage ? (
    <Button
      variant="secondary"
      size="sm"
      className="mt-3"
      loading={query.isFetchingNextPage}
      onClick={() => {
        setPressed(true)
        void query.fetchNextPage()
      }}
    >
      {children ?? <Trans>Older ones</Trans>}
    </Button>
  ) : null
}
