import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { QueryIn, ReplyOf, Route } from '../../shared/api/route.ts'
import type { KnownRead } from '../../shared/first-reads.ts'
import type { CallOptions } from '../api.ts'
import { call } from './call.ts'

type Address = Pick<Route, 'path'>

/** Routes whose answers a change or an event invalidates. Each area lists them in its `touched.ts`. */
export type Touched = readonly Address[]

/** Operators' lists refresh so often besides live events. */
export const refreshMs = 30_000

/** The route alone matches all its answers. */
export function keyOf(route: Address, given?: object): QueryKey {
  return given ? [route.path, given] : [route.path]
}

/** `useQuery(read(orderRoutes.show, { params }))`. */
export function read<const R extends Route>(route: R, ...given: CallOptions<R>) {
  return queryOptions({
    queryKey: keyOf(route, given[0]),
    queryFn: ({ signal }): Promise<ReplyOf<R>> =>
      call(route, ...([{ ...given[0], signal }] as unknown as CallOptions<R>)),
  })
}

export function readItems<const R extends Route>(route: R, ...given: CallOptions<R>) {
  type Items = ReplyOf<R> extends { items: infer List } ? List : never
  return { ...read(route, ...given), select: itemsOf as (reply: ReplyOf<R>) => Items }
}

const itemsOf = ({ items }: { items: unknown }) => items

export function readPages<const R extends Route>(
  route: R,
  query: Omit<QueryIn<R>, 'after'>,
  params?: CallOptions<R>[0] extends { params: infer Params } ? Params : undefined,
) {
  return infiniteQueryOptions({
    queryKey: keyOf(route, { pages: query, params }),
    queryFn: ({ signal, pageParam: after }): Promise<ReplyOf<R>> =>
      call(route, ...([{ params, query: { ...query, after }, signal }] as unknown as CallOptions<R>)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page as { next: string | null }).next ?? undefined,
  })
}

/** The document's data counts as fresh for so long, except the session. */
const firstFreshMs = 5_000

/** Stores the data that came with the document. */
export function keepFirst(client: QueryClient, reads: readonly KnownRead[]): void {
  for (const { path, given, reply } of reads)
    client.setQueryData(
      keyOf({ path }, given),
      given?.pages ? { pages: [reply], pageParams: [undefined] } : reply,
      { updatedAt: path.endsWith('/session') ? Date.now() : Date.now() + firstFreshMs },
    )
}

export function readAgain(client: QueryClient, touched: Touched): void {
  for (const route of touched) void client.invalidateQueries({ queryKey: keyOf(route) })
}
