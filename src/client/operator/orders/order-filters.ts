import type { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { QueryIn } from '../../../shared/api/route.ts'
import { orderStatuses, orderViews } from '../../../shared/order-states.ts'

export type OrderFilters = Omit<
  QueryIn<typeof operatorOrderRoutes.list>,
  'after' | 'limit' | 'sort' | 'direction'
>

/** Filters with the same form in URL and API; `from` and `to` are days in the URL. */
export const plainFilters = ['currency', 'usdMin', 'usdMax', 'level', 'country'] as const
export const filterNames = ['from', 'to', 'via', 'mailbox', ...plainFilters] as const

/** The start of a day in a zone such as `+03:00`, plus `days`. */
export function startOfDay(day: string | undefined, zone: string, days = 0): string | undefined {
  if (day?.includes('T')) return Number.isNaN(Date.parse(day)) ? undefined : day
  const at = Date.parse(`${day}T00:00:00${zone}`)
  return Number.isNaN(at) ? undefined : new Date(at + days * 86_400_000).toISOString()
}

/** The valid statuses in their defined order. */
export const statusesIn = (text = '') => orderStatuses.filter((known) => text.split(',').includes(known))

/** A day ends at the next midnight of the operators' zone. */
export function filtersOf(get: (name: string) => string | undefined, zone: string): OrderFilters {
  return {
    view: orderViews.find((known) => known === get('view')),
    status: statusesIn(get('status')).join(',') || undefined,
    search: get('search'),
    hidden: get('deleted') === 'yes' ? 'true' : undefined,
    from: startOfDay(get('from'), zone),
    to: startOfDay(get('to'), zone, 1),
    via: (['chain', 'operator'] as const).find((known) => known === get('via')),
    mailbox: (['confirmed', 'unconfirmed'] as const).find((known) => known === get('mailbox')),
    ...Object.fromEntries(plainFilters.map((name) => [name, get(name)])),
  }
}

/** Without position, open order and search, which may hold a person's name. */
export function keptOf(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['after', 'open', 'search']) params.delete(name)
  params.sort()
  return params.toString()
}
