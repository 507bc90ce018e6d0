import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { both, Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Page } from '../../area/Page.tsx'
import { answeredStatus } from '../../errors.ts'
import { Ito } from '../../ito/Ito.tsx'
import { Skeleton, Skeletons } from '../../ui/Spinner.tsx'
import { EmptyState, Notice } from '../../ui/states.tsx'
import { LittleLeft } from '../LittleLeft.tsx'
import { useCampaign, useCurrencies } from '../queries.ts'
import { keepForLogin } from '../session.ts'
import { AmountField } from './AmountField.tsx'
import { CoinButton } from './CoinButton.tsx'
import { CurrencyPicker } from './CurrencyPicker.tsx'
import { frameOf } from './frame-of.ts'
import { LevelReached } from './LevelReached.tsx'
import { buyColumns, PaymentPanel } from './PaymentPanel.tsx'
import { ReadyAmounts } from './ReadyAmounts.tsx'
import { useSaleState } from './sale-state.tsx'
import { type TypedAmount, useTypedAmount } from './typed-amount.ts'

const fetchDialog = () => import('./PurchaseDialog.tsx').then((part) => ({ default: part.PurchaseDialog }))
const PurchaseDialog = lazy(fetchDialog)
const prefetchDialog = () => void fetchDialog().catch(() => undefined)

/** Stands in for loading content and reports that. */
function ToCome({ say }: { say: (isToCome: boolean) => void }) {
  useLayoutEffect(() => {
    say(true)
    return () => say(false)
  }, [say])
  return null
}

export function Buy() {
  const campaign = useCampaign()
  const currencies = useCurrencies()
  const symbol = campaign.data?.settings.symbol ?? ''
  return (
    <Page title={<Trans>Buy {symbol}</Trans>}>
      <Loaded
        query={both(campaign, currencies)}
        skeleton={<BuySkeleton />}
        failed={currencies.data ? undefined : <CurrenciesFailure error={currencies.error} />}
      >
        {([sale, offered]) => <BuyForm campaign={sale} currencies={offered} />}
      </Loaded>
    </Page>
  )
}

function BuySkeleton() {
  return (
    <div className={buyColumns}>
      <div>
        <Skeleton className="h-16" />
        <Skeleton className="mt-4 h-72" />
      </div>
      <div className="hidden grid-cols-2 gap-2 lg:grid">
        <Skeletons count={8} className="h-20" />
      </div>
    </div>
  )
}

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
  const [search] = useSearchParams()
  const [code, setCode] = useState(search.get('currency') ?? '')
  const currency = currencies.find((candidate) => candidate.code === code) ?? currencies[0]
  if (!currency)
    return (
      <EmptyState
        picture={<Ito pose="box" decorative />}
        title={<Trans>No currency is accepted just now</Trans>}
      >
        <Trans>The operator has not listed any yet, so you can’t buy yet.</Trans>
      </EmptyState>
    )
  return <Purchase campaign={campaign} currency={currency} currencies={currencies} onChoose={setCode} />
}

interface Chosen {
  campaign: PublicCampaign
  currency: PublicCurrency
  currencies: readonly PublicCurrency[]
  onChoose: (code: string) => void
}

function Purchase(chosen: Chosen) {
  const { campaign, currency, currencies, onChoose } = chosen
  const { i18n } = useLingui()
  const [search, setSearch] = useSearchParams()
  // A purchase left unfinished reopens at its order.
  const [isOpen, setOpen] = useState(search.has('order'))
  const [isOpening, setOpening] = useState(false)
  const closed = useSaleState(campaign)
  const typed = useTypedAmount(campaign, currency)
  const question = { currency: currency.code, ...typed.asked }
  const { pathname } = useLocation()
  const frame = frameOf(search)
  const kept: Record<string, string> = frame ? { frame } : {}
  useEffect(() => keepForLogin(pathname, isOpen ? undefined : new URLSearchParams({ ...question, ...kept })))
  const open = (next: boolean) => {
    // The address keeps the purchase, so that a login or a reload returns to it.
    setSearch(next ? { ...question, ...kept } : kept, { replace: true, preventScrollReset: true })
    setOpen(next)
  }
  // Don't send a request that must fail: the browser's console would show an error.
  const asked = typed.isWithinLimits && !closed && !currency.unavailable ? question : null
  return (
    <>
      {closed ? <Notice>{closed}</Notice> : <LittleLeft campaign={campaign} currency={currency} />}
      <PaymentPanel
        campaign={campaign}
        currency={currency}
        question={asked}
        isWithinLimits={typed.isWithinLimits}
        closed={closed}
        onBuy={() => open(true)}
        onReach={prefetchDialog}
        isOpening={isOpening}
        picker={
          <CurrencyPicker
            campaign={campaign}
            currencies={currencies}
            chosen={currency.code}
            onChoose={onChoose}
          />
        }
      >
        <AmountForm {...chosen} typed={typed} frame={frame} onSubmit={() => asked && open(true)} />
      </PaymentPanel>
      {isOpen ? (
        <Suspense fallback={<ToCome say={setOpening} />}>
          <PurchaseDialog
            key={i18n.locale}
            campaign={campaign}
            currency={currency}
            question={question}
            onClose={() => open(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/**
 * The coin in narrow windows only. Without scripts the browser submits the amount as the page's address.
 */
function AmountForm({
  campaign,
  currency,
  currencies,
  onChoose,
  typed,
  frame,
  onSubmit,
}: Chosen & { typed: TypedAmount; frame: string | null; onSubmit: () => void }) {
  return (
    <form
      method="get"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {/* A form sent before the scripts run returns with its currency. */}
      <input type="hidden" name="currency" value={currency.code} />
      <input type="hidden" name="unit" value={typed.asked.unit} />
      {frame ? <input type="hidden" name="frame" value={frame} /> : null}
      <AmountField typed={typed} settings={campaign.settings} currency={currency} />
      <CoinButton campaign={campaign} currencies={currencies} currency={currency} onChoose={onChoose} />
      {currency.pauseReason && currency.unavailable === 'paused' ? (
        <Notice>
          <LocalText text={currency.pauseReason} />
        </Notice>
      ) : null}
      <ReadyAmounts campaign={campaign} typed={typed} />
      <LevelReached settings={campaign.settings} typed={typed} />
    </form>
  )
}
