import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import type { QueryIn, ReplyOf, Route } from '../../shared/api/route.ts'
import type { CallOptions } from '../api.ts'
import { Pagination } from '../ui/Pagination.tsx'
import { DataTable } from './DataTable.tsx'
import { Loaded } from './Loaded.tsx'
import { read, refreshMs } from './reading.ts'
import { useCursor } from './url-state.ts'

interface PageOf<Row> {
  readonly items: readonly Row[]
  readonly next: string | null
  readonly total?: number | undefined
}

/** The position is in the URL. The previous page shows while the next one loads. Refreshes every 30 s. */
export function useList<const R extends Route>(
  route: R,
  query: Omit<QueryIn<R>, 'after'>,
  { params, refetchInterval = refreshMs }: { params?: object; refetchInterval?: number | false } = {},
) {
  const cursor = useCursor()
  const given = { ...(params ? { params } : {}), query: { ...query, after: cursor.after } }
  const result = useQuery({
    ...read(route, ...([given] as unknown as CallOptions<R>)),
    placeholderData: keepPreviousData as never,
    refetchInterval,
  })
  const page = result.data as PageOf<unknown> | undefined
  // Go back from a page that has become empty.
  const emptied = page?.items.length === 0 && cursor.hasPrevious && !result.isPlaceholderData
  const back = cursor.previous
  useEffect(() => {
    if (emptied) back()
    // Read the way back only when the page turns out to be empty.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [emptied])
  type Row = ReplyOf<R> extends { items: readonly (infer One)[] } ? One : never
  return { result, page: page as PageOf<Row> | undefined, cursor }
}

interface ListState<Row> {
  result: UseQueryResult<unknown>
  page: PageOf<Row> | undefined
  cursor: ReturnType<typeof useCursor>
}

export function List<Row, Sort extends string = string>({
  list: { result, page, cursor },
  loading,
  head,
  ...table
}: {
  list: ListState<Row>
  loading?: ReactNode
  head?: (page: PageOf<Row>) => ReactNode
} & Omit<ComponentProps<typeof DataTable<Row, Sort>>, 'rows'>) {
  return (
    <Loaded query={{ ...result, data: page }} loading={loading}>
      {(shown) => (
        <div className={result.isPlaceholderData ? 'opacity-60' : undefined}>
          {head?.(shown)}
          <DataTable {...table} rows={shown.items} />
          <Pagination
            page={cursor.page}
            hasPrevious={cursor.hasPrevious}
            hasNext={shown.next !== null}
            onPrevious={cursor.previous}
            onNext={() => shown.next && cursor.next(shown.next)}
          />
        </div>
      )}
    </Loaded>
  )
}
