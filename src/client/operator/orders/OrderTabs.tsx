import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { type OrderCounts, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { read, refreshMs } from '../../area/reading.ts'
import { Count } from '../../ui/numbers.tsx'
import { keptOf } from './order-filters.ts'
import type { SavedFilters } from './saved-filters.ts'

export function OrderTabs({ saved }: { saved: SavedFilters }) {
  const { t } = useLingui()
  const counts = useQuery({ ...read(operatorOrderRoutes.counts), refetchInterval: refreshMs }).data
  const { search: here } = useLocation()
  const own = saved.filters.find(({ search }) => keptOf(search) === keptOf(here))
  const tabs: { key: keyof OrderCounts; search: string; label: string }[] = [
    { key: 'waiting', search: 'view=waiting&direction=asc', label: t`Waiting` },
    {
      key: 'with_transaction_id',
      search: 'view=with_transaction_id&direction=asc',
      label: t`With a transaction id`,
    },
    { key: 'seen', search: 'view=seen&direction=asc', label: t`Seen on chain` },
    { key: 'odd', search: 'view=odd&direction=asc', label: t`Late or odd` },
    { key: 'approved', search: 'status=approved', label: t({ message: 'Approved', context: 'orders' }) },
    { key: 'all', search: '', label: t({ message: 'All', context: 'orders' }) },
  ]
  return (
    <nav aria-label={t`Orders`} className="mb-4 overflow-x-auto overflow-y-hidden border-b border-line">
      <ul className="flex gap-6">
        {tabs.map(({ key, search, label }) => (
          <Tab key={key} search={search} isOpen={!own && tabOf(search) === tabOf(here)}>
            {label}
            {counts ? <TabCount count={counts[key]} /> : null}
          </Tab>
        ))}
        {saved.filters.map(({ name, search }) => (
          <Tab
            key={name}
            search={search}
            isOpen={own?.name === name}
            beside={
              <button
                type="button"
                className="-ml-4 grid size-6 place-items-center rounded-md text-faint hover:text-ink"
                onClick={() => saved.remove(name)}
              >
                <X aria-hidden="true" className="size-3.5" />
                <span className="sr-only">
                  <Trans>Forget the filter {name}</Trans>
                </span>
              </button>
            }
          >
            {name}
          </Tab>
        ))}
      </ul>
    </nav>
  )
}

function Tab({
  search,
  isOpen,
  beside,
  children,
}: {
  search: string
  isOpen: boolean
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <li className="flex shrink-0 items-center gap-6">
      <Link
        to={{ search }}
        aria-current={isOpen ? 'page' : undefined}
        className={cx(
          '-mb-px flex h-11 items-center gap-2 border-b-2 text-sm font-medium whitespace-nowrap hover:text-ink',
          isOpen ? 'border-ink text-ink' : 'border-transparent text-soft',
        )}
      >
        {children}
      </Link>
      {beside}
    </li>
  )
}

/** Sorting and further filters don't change the tab. */
function tabOf(search: string): string {
  const params = new URLSearchParams(search)
  return `${params.get('view')} ${params.get('status')}`
}

function TabCount({ count: { count, isMore } }: { count: OrderCounts['all'] }) {
  return (
    <span className="rounded-sm bg-sunk px-1.5 py-0.5 text-xs text-ink">
      <Count value={count} />
      {isMore ? '+' : ''}
    </span>
  )
}
