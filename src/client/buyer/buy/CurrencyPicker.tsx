import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Search } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'

/** So many coins have their pictures before the scripts: a first visit has few requests to spare. */
const EARLY = 2

const wide = '(min-width: 641px)'

/** A page has 12 cards in a window wider than 640 px, else 6. */
function usePageSize(): number {
  const isWide = useSyncExternalStore(
    (notify) => {
      const media = matchMedia(wide)
      media.addEventListener('change', notify)
      return () => media.removeEventListener('change', notify)
    },
    () => matchMedia(wide).matches,
    () => true,
  )
  return isWide ? 12 : 6
}

/** Offers the currencies as cards. A search finds a currency by its code or full name, whatever the case. */
export function CurrencyPicker({
  currencies,
  symbol,
  chosen,
  onChoose,
}: {
  currencies: readonly PublicCurrency[]
  symbol: string
  chosen: string
  onChoose: (code: string) => void
}) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const size = usePageSize()
  const wanted = search.trim().toLowerCase()
  const found = currencies.filter(
    (currency) =>
      currency.code.toLowerCase().includes(wanted) || currency.fullName.toLowerCase().includes(wanted),
  )
  const total = Math.max(1, Math.ceil(found.length / size))
  const shownPage = Math.min(page, total)
  const shown = found.slice((shownPage - 1) * size, shownPage * size)

  return (
    <>
      <SearchBox
        value={search}
        onChange={(next) => {
          setSearch(next)
          setPage(1)
        }}
      />
      {shown.length === 0 ? (
        <p role="status" className="py-10 text-center text-soft">
          <Trans>No currency is called that.</Trans>
        </p>
      ) : (
        <div
          role="group"
          aria-label={t`Currency`}
          className="mt-4 grid grid-cols-1 gap-2 min-[480px]:grid-cols-2 lg:grid-cols-3 max-[640px]:*:nth-[n+7]:hidden"
        >
          {shown.map((currency, index) => (
            <CurrencyCard
              key={currency.code}
              early={index < EARLY}
              currency={currency}
              symbol={symbol}
              chosen={currency.code === chosen}
              onChoose={() => onChoose(currency.code)}
            />
          ))}
        </div>
      )}
      {total > 1 ? (
        <Pagination
          page={shownPage}
          total={total}
          onPrevious={() => setPage(shownPage - 1)}
          onNext={() => setPage(shownPage + 1)}
        />
      ) : null}
    </>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui()
  return (
    <Field label={t`Search for a currency`} labelHidden>
      <div className="relative max-w-md">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-faint"
        />
        <Input
          type="search"
          placeholder={t`Search for a currency...`}
          aria-label={t`Search for a currency...`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="pl-10"
        />
      </div>
    </Field>
  )
}

function CurrencyCard({
  currency,
  symbol,
  chosen,
  early,
  onChoose,
}: {
  currency: PublicCurrency
  symbol: string
  early: boolean
  chosen: boolean
  onChoose: () => void
}) {
  const { t } = useLingui()
  const { code } = currency
  const network = payersNetworkName(currency.network)
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        'flex min-w-0 items-center gap-3 rounded-md border px-3 py-2 text-left transition-colors',
        chosen
          ? 'border-ink bg-raised outline-1 outline-ink'
          : 'border-line hover:border-line-strong hover:bg-raised',
      )}
    >
      <CoinIcon code={code} early={early} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className="truncate font-semibold">{currency.fullName}</span>
          <span className="text-sm text-faint">{code}</span>
        </span>
        <span className="block truncate text-sm text-soft">{network ?? currency.fullName}</span>
        <span className="block text-sm text-soft">
          <Trans>
            1 {code} = <TokenAmount value={currency.rate} unit={symbol} />
          </Trans>
        </span>
        {currency.unavailable ? (
          <span className="block text-sm text-danger">
            {
              {
                paused: t`Paused`,
                rate_stale: t`No fresh rate just now`,
                address_missing: t`Address not specified`,
              }[currency.unavailable]
            }
          </span>
        ) : null}
      </span>
    </button>
  )
}
