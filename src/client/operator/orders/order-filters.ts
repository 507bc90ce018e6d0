import type { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { QueryIn } from '../../../shared/api/route.ts'
import { orderStatuses, orderViews } from '../../../shared/order-states.ts'

export type OrderFilters = Omit<
  QueryIn<typeof operatorOrderRoutes.list>,
  'after' | 'limit' | 'sort' | 'direction'
>

/** Filters of the queue that stand in the URL as they are; `from` and `to` are days there. */
export const plainFilters = ['currency', 'usdMin', 'usdMax', 'level', 'country'] as const
/** Whatever narrows the list besides tab and search. */
export const filterNames = ['from', 'to', 'via', ...plainFilters] as const

/** The first moment of a day in a zone such as `+03:00`, `days` later. */
export function startOfDay(day: string | undefined, zone: string, days = 0): string | undefined {
  // A link from a figure names the moment itself.
  if (day?.includes('T')) return Number.isNaN(Date.parse(day)) ? undefined : day
  const at = Date.parse(`${day}T00:00:00${zone}`)
  return Number.isNaN(at) ? undefined : new Date(at + days * 86_400_000).toISOString()
}

/** The statuses that the URL names, in their own order; what is no status is left out. */
export const statusesIn = (text = '') => orderStatuses.filter((known) => text.split(',').includes(known))

/** What the URL asks for, as the server takes it. A day ends when the next one begins, by the operators' zone. */
export function filtersOf(get: (name: string) => string | undefined, zone: string): OrderFilters {
  return {
    view: orderViews.find((known) => known === get('view')),
    status: statusesIn(get('status')).join(',') || undefined,
    search: get('search'),
    hidden: get('deleted') === 'yes' ? 'true' : undefined,
    from: startOfDay(get('from'), zone),
    to: startOfDay(get('to'), zone, 1),
    via: (['chain', 'operator'] as const).find((known) => known === get('via')),
    ...Object.fromEntries(plainFilters.map((name) => [name, get(name)])),
  }
}

/** What a saved filter keeps of an address: no position, no order beside the list, and no search, which may name a person. */
export function keptOf(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['after', 'open', 'search']) params.delete(name)
  params.sort()
  return params.toString()
}
