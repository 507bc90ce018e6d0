import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowUpDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { amountBar, levelIndexHeld, levelIndexReached } from '../../../shared/levels.ts'
import {
  compare,
  cryptoFromTokens,
  isAmount,
  isPositive,
  tokensFromCrypto,
  trimZeros,
} from '../../../shared/money.ts'
import { useTitle } from '../../area/document-title.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, PageHead } from '../../area/Page.tsx'
import { answeredStatus, errorText } from '../../errors.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Button } from '../../ui/Button.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { useDebounced } from '../../ui/clock.ts'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { Percent, TokenAmount } from '../../ui/numbers.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { EmptyState, ErrorState, Notice } from '../../ui/states.tsx'
import { type QuoteQuestion, useCampaign, useCurrencies, useQuotePreview } from '../queries.ts'
import { CurrencyPicker } from './CurrencyPicker.tsx'
import { useSaleState } from './sale-state.tsx'

const PurchaseDialog = lazy(() =>
  import('./PurchaseDialog.tsx').then((part) => ({ default: part.PurchaseDialog })),
)

/** `Buy ITOKEN`: an amount, a currency, and what the server says both come to. */
export function Buy() {
  useTitle()
  const campaign = useCampaign()
  const currencies = useCurrencies()
  const symbol = campaign.data?.settings.symbol ?? 'ITOKEN'
  const failed = [campaign, currencies].find((query) => query.isError && !query.data)
  return (
    <>
      <PageHead title={<Trans>Buy {symbol}</Trans>} />
      {failed ? (
        <ErrorState
          title={
            failed === currencies ? (
              <CurrenciesFailure error={currencies.error} />
            ) : (
              <Trans>Failed to load data</Trans>
            )
          }
          onRetry={() => {
            void campaign.refetch()
            void currencies.refetch()
          }}
          retrying={campaign.isFetching || currencies.isFetching}
        />
      ) : campaign.data && currencies.data ? (
        <BuyForm campaign={campaign.data} currencies={currencies.data} />
      ) : (
        <SkeletonGroup>
          <div className="grid gap-8 lg:grid-cols-2">
            <Skeleton className="h-44" />
            <Skeleton className="h-44" />
          </div>
          <Skeleton className="mt-8 h-11 max-w-sm" />
          <div className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
            {Array.from({ length: 8 }, (_, index) => (
              // Placeholders have no identity.
              // oxlint-disable-next-line react/no-array-index-key
              <Skeleton key={index} className="h-28" />
            ))}
          </div>
        </SkeletonGroup>
      )}
    </>
  )
}

/** The list of currencies: what the server answered instead of it, where it answered at all. */
function CurrenciesFailure({ error }: { error: unknown }) {
  const status = answeredStatus(error)
  if (status === undefined) return <Trans>Failed to load data</Trans>
  if (status >= 400) return <Trans>Failed to get cryptos: {status}</Trans>
  return <Trans>Failed to fetch cryptos: Unexpected response status</Trans>
}

function BuyForm({
  campaign,
  currencies,
}: {
  campaign: PublicCampaign
  currencies: readonly PublicCurrency[]
}) {
  const { t, i18n } = useLingui()
  const { settings } = campaign
  const [search, setSearch] = useSearchParams()
  const [code, setCode] = useState(search.get('currency') ?? '')
  const [unit, setUnit] = useState<'token' | 'crypto'>(search.get('unit') === 'crypto' ? 'crypto' : 'token')
  const [amount, setAmount] = useState(search.get('amount') ?? trimZeros(settings.orderDefaultTokens))
  // A purchase that was under way when the page was left opens again at its quote.
  const [open, setOpen] = useState(search.has('quote'))
  const closed = useSaleState(campaign)

  const currency = currencies.find((candidate) => candidate.code === code) ?? currencies[0]
  if (!currency)
    return (
      <EmptyState
        picture={<Ito pose="box" decorative />}
        title={<Trans>No currency is accepted just now</Trans>}
      >
        <Trans>The operator has not listed any. Nothing can be bought until then.</Trans>
      </EmptyState>
    )

  const valid = isAmount(amount) && isPositive(amount)
  const tokens = valid ? (unit === 'token' ? amount : tokensFromCrypto(amount, currency.rate)) : '0'
  // The last order of a stage may be exactly what is left, when that is below the minimum.
  const minimum =
    isPositive(campaign.leftTokens) && compare(campaign.leftTokens, settings.orderMinimumTokens) < 0
      ? campaign.leftTokens
      : settings.orderMinimumTokens
  const withinLimits =
    valid && compare(tokens, minimum) >= 0 && compare(tokens, settings.orderMaximumTokens) <= 0
  const question: QuoteQuestion | null =
    withinLimits && !closed ? { currency: currency.code, amount, unit } : null

  const swap = () => {
    if (valid) setAmount(trimZeros(unit === 'token' ? cryptoFromTokens(amount, currency.rate) : tokens))
    setUnit(unit === 'token' ? 'crypto' : 'token')
  }
  const begin = () => {
    // Kept in the address, so that logging in again or a reload comes back to the same purchase.
    setSearch({ currency: currency.code, amount, unit }, { replace: true, preventScrollReset: true })
    setOpen(true)
  }

  const unitLabel = unit === 'token' ? settings.symbol : currency.code
  const tooMuch = valid && compare(tokens, settings.orderMaximumTokens) > 0
  const cannotBuy =
    closed ??
    (currency.unavailable
      ? {
          paused: t`This currency is paused.`,
          rate_stale: t`There is no fresh rate for this currency just now.`,
          address_missing: t`Address not specified`,
        }[currency.unavailable]
      : null)

  return (
    <>
      {closed ? (
        <div className="mb-6">
          <Notice>{closed}</Notice>
        </div>
      ) : null}
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <div className="min-w-0">
          <Field
            label={<Trans>Amount</Trans>}
            hint={
              <Trans>
                From <TokenAmount value={minimum} /> to{' '}
                <TokenAmount value={settings.orderMaximumTokens} unit={settings.symbol} /> an order
              </Trans>
            }
            error={
              amount !== '' && !isAmount(amount)
                ? t`Enter a plain number with at most 6 decimals.`
                : undefined
            }
          >
            <div className="flex gap-2">
              <div className="relative min-w-0 flex-1">
                <DecimalInput
                  name="amount"
                  value={amount}
                  onValueChange={setAmount}
                  maxLength={26}
                  className="figures h-16 pr-24 text-2xl font-semibold"
                />
                <span className="pointer-events-none absolute inset-y-0 right-4 flex items-center font-semibold text-soft">
                  {unitLabel}
                </span>
              </div>
              <Button
                variant="secondary"
                aria-label={
                  unit === 'token'
                    ? t`Swap: type ${currency.code} instead`
                    : t`Swap: type ${settings.symbol} instead`
                }
                onClick={swap}
                className="size-16! px-0!"
              >
                <ArrowUpDown className="size-5" />
              </Button>
            </div>
          </Field>
          <LevelReached campaign={campaign} tokens={tokens} tooMuch={tooMuch} />
        </div>
        <PaymentPanel
          campaign={campaign}
          currency={currency}
          question={question}
          withinLimits={withinLimits}
          cannotBuy={cannotBuy}
          onBuy={begin}
        />
      </div>
      <Band title={<Trans>Pay with</Trans>} className="mt-8">
        <CurrencyPicker
          currencies={currencies}
          symbol={settings.symbol}
          chosen={currency.code}
          onChoose={setCode}
        />
        {currency.pauseReason && currency.unavailable === 'paused' ? (
          <Notice>
            <LocalText text={currency.pauseReason} />
          </Notice>
        ) : null}
      </Band>
      {open ? (
        <Suspense fallback={null}>
          <PurchaseDialog
            key={i18n.locale}
            campaign={campaign}
            currency={currency}
            question={{ currency: currency.code, amount, unit }}
            onClose={() => {
              setOpen(false)
              setSearch({}, { replace: true, preventScrollReset: true })
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

function LevelReached({
  campaign,
  tokens,
  tooMuch,
}: {
  campaign: PublicCampaign
  tokens: string
  tooMuch: boolean
}) {
  const { t } = useLingui()
  const { levels, orderMaximumTokens, symbol } = campaign.settings
  const reached = levelIndexReached(levels, tokens)
  const level = levels[Math.max(0, reached)]
  const next = levels[reached + 1]
  const levelName = level?.name ?? ''
  const nextName = next?.name ?? ''
  return (
    <div className="mt-5 flex items-end gap-4">
      <Ito
        decorative
        state={reached < 0 ? 'asleep' : 'awake'}
        rank={reached < 0 ? undefined : levelIndexHeld(levels, tokens)}
        levelCount={levels.length}
        className="h-24 w-20 shrink-0"
      />
      <div className="min-w-0 flex-1">
        <ProgressBar
          tone="now"
          percent={amountBar(levels, tokens, orderMaximumTokens)}
          label={t`Level reached`}
          valueText={reached < 0 ? t`below the first level` : levelName}
          marks={levels
            .slice(1)
            .map((_, index) => (index + 1) * 20)
            .filter((mark) => mark < 100)}
        />
        <p className="mt-2 text-sm text-soft" aria-live="polite">
          {tooMuch ? (
            <Trans>More than one order may hold.</Trans>
          ) : next ? (
            reached < 0 ? (
              <Trans>
                {nextName} begins at <TokenAmount value={next.threshold} unit={symbol} />
              </Trans>
            ) : (
              <Trans>
                Reaches <strong className="text-ink">{levelName}</strong>; {nextName} from{' '}
                <TokenAmount value={next.threshold} unit={symbol} />
              </Trans>
            )
          ) : (
            <Trans>
              Reaches <strong className="text-ink">{levelName}</strong>, the highest level
            </Trans>
          )}
        </p>
      </div>
    </div>
  )
}

function PaymentPanel({
  campaign,
  currency,
  question,
  withinLimits,
  cannotBuy,
  onBuy,
}: {
  campaign: PublicCampaign
  currency: PublicCurrency
  question: QuoteQuestion | null
  withinLimits: boolean
  cannotBuy: string | null
  onBuy: () => void
}) {
  const { t } = useLingui()
  const settled = useDebounced(JSON.stringify(question), 200)
  const asked = JSON.parse(settled) as QuoteQuestion | null
  const preview = useQuotePreview(asked)
  const quote = question && !preview.isError ? preview.data : undefined
  const { symbol, levels } = campaign.settings
  const level = levels.find((candidate) => candidate.key === quote?.levelKey)
  return (
    <section className="min-w-0" aria-label={t`Your purchase`}>
      <dl className="border-t border-line" aria-busy={preview.isFetching || undefined}>
        <Line label={<Trans>Bonus level</Trans>}>{quote ? level?.name : dash}</Line>
        <Line label={<Trans>Bonus</Trans>}>
          {quote ? (
            <>
              <Percent value={quote.bonusPercent} />
              {' · '}
              <TokenAmount value={quote.bonusTokens} unit={symbol} />
            </>
          ) : (
            dash
          )}
        </Line>
        <Line label={<Trans>You receive</Trans>} strong>
          {quote ? <TokenAmount value={quote.receiveTokens} unit={symbol} /> : dash}
        </Line>
        <Line label={<Trans>You send</Trans>} strong>
          {quote ? (
            <span className="inline-flex items-center gap-2">
              <CoinIcon code={quote.currency} className="size-5" />
              <TokenAmount value={quote.cryptoAmount} unit={quote.currency} />
            </span>
          ) : (
            dash
          )}
        </Line>
      </dl>
      {preview.isError && question ? (
        <div className="mt-4">
          <ErrorState
            title={errorText(preview.error)}
            onRetry={() => void preview.refetch()}
            retrying={preview.isFetching}
          />
        </div>
      ) : null}
      <div className="mt-5">
        <Button size="lg" wide disabled={!withinLimits} disabledReason={cannotBuy} onClick={onBuy}>
          <Trans>Buy Now</Trans>
        </Button>
        <p className="mt-2 text-center text-sm text-soft">
          <Trans>
            1 {currency.code} = <TokenAmount value={currency.rate} unit={symbol} />
          </Trans>
        </p>
      </div>
    </section>
  )
}

const dash = <span className="text-faint">—</span>

function Line({
  label,
  strong = false,
  children,
}: {
  label: React.ReactNode
  strong?: boolean
  children: React.ReactNode
}) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className={strong ? 'text-lg font-semibold' : ''}>{children}</dd>
    </div>
  )
}
