import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { QueryIn, ReplyOf, Route } from '../../shared/api/route.ts'
import type { KnownRead } from '../../shared/first-reads.ts'
import type { CallOptions } from '../api.ts'
import { call } from './call.ts'

type Address = Pick<Route, 'path'>

/** Routes whose answers a change or a live event makes old. Each area says them in its `touched.ts`. */
export type Touched = readonly Address[]

/** Operators' lists are read again this often besides what the live events say. */
export const refreshMs = 30_000

/** A key is a route, and what the route was given. The route alone stands for every answer of that route. */
export function keyOf(route: Address, given?: object): QueryKey {
  return given ? [route.path, given] : [route.path]
}

/** A route as a query: `useQuery(read(orderRoutes.show, { params }))`. */
export function read<const R extends Route>(route: R, ...given: CallOptions<R>) {
  return queryOptions({
    queryKey: keyOf(route, given[0]),
    queryFn: ({ signal }): Promise<ReplyOf<R>> =>
      call(route, ...([{ ...given[0], signal }] as unknown as CallOptions<R>)),
  })
}

/** The same for a route whose answer is a short list: the items alone. */
export function readItems<const R extends Route>(route: R, ...given: CallOptions<R>) {
  type Items = ReplyOf<R> extends { items: infer List } ? List : never
  return { ...read(route, ...given), select: itemsOf as (reply: ReplyOf<R>) => Items }
}

const itemsOf = ({ items }: { items: unknown }) => items

/** The same for a list that is read page by page and shown as one: `useInfiniteQuery(readPages(…))`. */
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

/** What a document came with is fresh for so long, but for who is signed in, which each change of page asks: live events read all of it again. */
const firstFreshMs = 5_000

/** Keeps what a page begins with, as if it had been read here. */
export function keepFirst(client: QueryClient, reads: readonly KnownRead[]): void {
  for (const { path, given, reply } of reads)
    client.setQueryData(
      keyOf({ path }, given),
      given?.pages ? { pages: [reply], pageParams: [undefined] } : reply,
      { updatedAt: path.endsWith('/session') ? Date.now() : Date.now() + firstFreshMs },
    )
}

/** Makes every answer of these routes old; what is on the screen is read again at once. */
export function readAgain(client: QueryClient, touched: Touched): void {
  for (const route of touched) void client.invalidateQueries({ queryKey: keyOf(route) })
}
