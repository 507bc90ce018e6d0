import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { errorText } from '../errors.ts'
import { SkeletonGroup } from '../ui/Spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

interface Query<Data> {
  data: Data | undefined
  error: Error | null
  isError: boolean
  isFetching: boolean
  isRefetchError: boolean
  refetch: () => unknown
}

/**
 * Renders `loading`, the children, or an error with `Retry`. A failed refresh keeps the old data and says
 * so.
 */
export function Loaded<Data>({
  query,
  loading,
  skeleton,
  failed,
  children,
}: {
  query: Query<Data>
  loading?: ReactNode
  /** Grey blocks instead of words. A failed refresh then shows no message, because the shell does. */
  skeleton?: ReactNode
  failed?: ReactNode
  children: (data: Data) => ReactNode
}) {
  const { t } = useLingui()
  const retry = { onRetry: () => void query.refetch(), retrying: query.isFetching }
  if (query.data === undefined && query.isError)
    return (
      <ErrorState title={failed ?? t`Failed to load data`} {...retry}>
        {skeleton ? null : detailOf(query.error)}
      </ErrorState>
    )
  if (query.data === undefined)
    return skeleton ? (
      <SkeletonGroup>{skeleton}</SkeletonGroup>
    ) : (
      <p role="status" className="animate-skeleton py-8 text-soft">
        {loading ?? <Trans>Loading...</Trans>}
      </p>
    )
  return (
    <>
      {query.isRefetchError && !skeleton ? (
        <ErrorState className="mb-4" title={t`This may be old: the last refresh failed`} {...retry}>
          {detailOf(query.error)}
        </ErrorState>
      ) : null}
      {children(query.data)}
    </>
  )
}

/** Combines two queries: loaded once both are, failed if either failed without data. */
export function both<One, Other>(one: Query<One>, other: Query<Other>): Query<readonly [One, Other]> {
  const all = [one, other]
  const failed = all.find(({ isError, data }) => isError && data === undefined)
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: (failed ?? all.find(({ error }) => error))?.error ?? null,
    isError: failed !== undefined,
    isFetching: one.isFetching || other.isFetching,
    isRefetchError: one.isRefetchError || other.isRefetchError,
    refetch: () => all.map((query) => query.refetch()),
  }
}

function detailOf(error: Error | null): string {
  return error instanceof ApiError ? `${errorText(error)} (${error.requestId})` : errorText(error)
}
