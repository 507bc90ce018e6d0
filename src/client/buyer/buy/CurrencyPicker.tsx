import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Search } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { networkTag } from '../../ui/network-names.ts'
import { TokenAmount } from '../../ui/numbers.tsx'
import { moveWithin } from '../../ui/one-tab-stop.ts'
import { Pagination } from '../../ui/Pagination.tsx'
import { ConfirmedBy } from '../ConfirmedBy.tsx'

/** Number of coins whose pictures load before the scripts, to limit a first visit's requests. */
const EARLY = 2

const wide = '(min-width: 641px)'

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

export function CurrencyPicker({
  campaign,
  currencies,
  chosen,
  onChoose,
}: {
  campaign: PublicCampaign
  currencies: readonly PublicCurrency[]
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
  const stop = shown.find(({ code }) => code === chosen) ?? shown[0]

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
          onKeyDown={moveWithin}
          className="mt-2 grid grid-cols-1 gap-2 min-[480px]:grid-cols-2 max-[640px]:*:nth-[n+7]:hidden"
        >
          {shown.map((currency, index) => (
            <CurrencyCard
              key={currency.code}
              early={index < EARLY}
              currency={currency}
              campaign={campaign}
              isStop={currency === stop}
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
      <div className="relative">
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
  campaign,
  chosen,
  isStop,
  early,
  onChoose,
}: {
  currency: PublicCurrency
  campaign: PublicCampaign
  chosen: boolean
  /** True for the card that Tab reaches first. */
  isStop: boolean
  early: boolean
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      tabIndex={isStop ? 0 : -1}
      onClick={onChoose}
      className={cx(
        'flex min-w-0 items-center gap-3 rounded-md border px-3 py-1.5 text-left transition-colors',
        chosen
          ? 'border-ink bg-raised outline-1 outline-ink'
          : 'border-line hover:border-line-strong hover:bg-raised',
      )}
    >
      <CoinIcon code={currency.code} early={early} />
      <CoinWords currency={currency} campaign={campaign} />
    </button>
  )
}

export function CoinWords({ currency, campaign }: { currency: PublicCurrency; campaign: PublicCampaign }) {
  const { t } = useLingui()
  const { code } = currency
  const network = networkTag(currency)
  return (
    <span className="min-w-0 flex-1 leading-snug">
      <span className="flex items-baseline justify-between gap-x-2">
        <span className="truncate font-semibold">{currency.fullName}</span>
        <span className="shrink-0 text-sm text-faint">{network ? `${code} · ${network}` : code}</span>
      </span>
      <span className="block text-sm text-soft">
        <Trans>
          1 {code} = <TokenAmount value={currency.rate} unit={campaign.settings.symbol} />
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
      ) : (
        <span className="block text-sm text-soft">
          <ConfirmedBy currency={currency} campaign={campaign} />
        </span>
      )}
    </span>
  )
}
