import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { type BoundQuote, orderRoutes, quoteRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { payersNetworkName } from '../../area/network-names.ts'
import { read, readAgain } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { clockFace, setServerTime, useCountdown } from '../../ui/clock.ts'
import { DemoWarning } from '../../ui/DemoRibbon.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { Percent, TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useOnline } from '../online.ts'
import { PaymentRules } from '../PaymentRules.tsx'
import { type QuoteQuestion, useQuotePreview } from '../queries.ts'
import { touched } from '../touched.ts'
import { WalletLink } from '../WalletLink.tsx'

const CountryChoice = lazy(() =>
  import('./CountryChoice.tsx').then((part) => ({ default: part.CountryChoice })),
)

const quoteQuery = (id: string) => read(quoteRoutes.show, { params: { id } })

/**
 * Step 1 says what the purchase is; `Continue` binds the quote and reserves its address. Step 2 says what to
 * send where; `Confirm` makes the order. The bound quote stands in the page's address, so that a reload or
 * logging in again comes back to it instead of reserving another.
 */
export function PurchaseDialog({
  campaign,
  currency,
  question,
  onClose,
}: {
  campaign: PublicCampaign
  currency: PublicCurrency
  question: QuoteQuestion
  onClose: () => void
}) {
  const [search, setSearch] = useSearchParams()
  const [step, setStep] = useState<1 | 2>(search.has('quote') ? 2 : 1)
  const quoteId = search.get('quote')
  const kept = useQuery({
    ...quoteQuery(quoteId ?? ''),
    enabled: quoteId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
  })
  const client = useQueryClient()
  // One key for this opening of the dialog: a repeated Continue answers the same quote.
  const [bindKey, setBindKey] = useState(() => crypto.randomUUID())
  const bind = useChange({
    run: () => call(quoteRoutes.bind, { body: question, idempotencyKey: bindKey }),
    untilAnswered: true,
    touches: [],
    failed: false,
    done: (quote) => {
      setServerTime(quote.serverTime)
      client.setQueryData(quoteQuery(quote.id).queryKey, quote)
      search.set('quote', quote.id)
      setSearch(search, { replace: true, preventScrollReset: true })
      setStep(2)
    },
    // A refusal is remembered under its key; asking again needs another. Without an answer the key stays.
    onFail: (error) => refusalCode(error) && setBindKey(crypto.randomUUID()),
  })
  const bound = kept.data

  const startAgain = () => {
    search.delete('quote')
    setSearch(search, { replace: true, preventScrollReset: true })
    setBindKey(crypto.randomUUID())
    setStep(1)
  }

  if (step === 2 && quoteId)
    return bound ? (
      <PayStep
        campaign={campaign}
        quote={bound}
        onBack={() => setStep(1)}
        onExpired={startAgain}
        onClose={onClose}
      />
    ) : kept.isError ? (
      <ReviewStep
        campaign={campaign}
        currency={currency}
        question={question}
        busy={bind.isPending}
        error={kept.error}
        onContinue={() => {
          startAgain()
        }}
        onClose={onClose}
      />
    ) : (
      <Waiting onClose={onClose} />
    )
  return (
    <ReviewStep
      campaign={campaign}
      currency={currency}
      question={question}
      busy={bind.isPending}
      error={bind.error}
      bound={bound}
      onContinue={() => (bound ? setStep(2) : bind.mutate())}
      onClose={onClose}
    />
  )
}

function Waiting({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={<Trans>Your purchase</Trans>}>
      <div className="grid place-items-center py-16 text-2xl text-faint">
        <Spinner label={t`Loading`} />
      </div>
    </Dialog>
  )
}

function Rows({ children }: { children: ReactNode }) {
  return <dl className="-mt-2">{children}</dl>
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-3 last:border-b-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="min-w-0 text-right font-semibold wrap-anywhere">{children}</dd>
    </div>
  )
}

function ReviewStep({
  campaign,
  currency,
  question,
  busy,
  error,
  bound,
  onContinue,
  onClose,
}: {
  campaign: PublicCampaign
  currency: PublicCurrency
  question: QuoteQuestion
  busy: boolean
  error: unknown
  bound?: BoundQuote | undefined
  onContinue: () => void
  onClose: () => void
}) {
  const { symbol, quoteMinutes } = campaign.settings
  const preview = useQuotePreview(question)
  const quote = bound ?? preview.data
  const problem = error ?? (quote ? null : preview.error)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Your purchase</Trans>}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button onClick={onContinue} loading={busy} disabled={!quote && !error}>
            <Trans>Continue</Trans>
          </Button>
        </>
      }
    >
      <Rows>
        <Row label={<Trans>Amount</Trans>}>
          <TokenAmount value={quote?.cryptoAmount} unit={currency.code} />
        </Row>
        <Row label={<Trans>Receive</Trans>}>
          <TokenAmount value={quote?.baseTokens} unit={symbol} />
        </Row>
        <Row label={<Trans>Bonus Tokens</Trans>}>
          <TokenAmount value={quote?.bonusTokens} unit={symbol} />
          {quote ? (
            <span className="font-normal text-soft">
              {' · '}
              <Percent value={quote.bonusPercent} />
            </span>
          ) : null}
        </Row>
        <Row label={<Trans>Network</Trans>}>{payersNetworkName(currency.network) || currency.fullName}</Row>
        <Row label={<Trans>Confirmed by</Trans>}>
          {currency.watched ? <Trans>the network, by itself</Trans> : <Trans>an operator, by hand</Trans>}
        </Row>
        <Row label={<Trans>Rate held for</Trans>}>
          {bound ? <TimeLeft until={bound.expiresAt} /> : <MinutesFromContinue minutes={quoteMinutes} />}
        </Row>
      </Rows>
      <Offline />
      <FormError>{problem ? errorText(problem) : null}</FormError>
    </Dialog>
  )
}

function MinutesFromContinue({ minutes }: { minutes: number }) {
  return <Trans>{minutes} min from Continue</Trans>
}

function TimeLeft({ until }: { until: string }) {
  const left = useCountdown(until)
  return left.over ? <Trans>expired</Trans> : <span className="figures">{clockFace(left).slice(3)}</span>
}

function Offline() {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" className="mb-3 border-l-4 border-danger bg-danger-soft px-4 py-3 text-sm">
      <Trans>You are offline. This goes on by itself when the network is back; nothing is sent twice.</Trans>
    </p>
  )
}

function PayStep({
  campaign,
  quote,
  onBack,
  onExpired,
  onClose,
}: {
  campaign: PublicCampaign
  quote: BoundQuote
  onBack: () => void
  onExpired: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { buyers } = campaign.settings
  // The versions that stood when the box was ticked: only those were accepted.
  const [accepted, setAccepted] = useState<PublicCampaign['legalVersions'] | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const [missing, setMissing] = useState<'country' | 'terms' | null>(null)
  const [attempt, setAttempt] = useState(1)
  const acceptBox = useRef<HTMLInputElement>(null)
  const left = useCountdown(quote.expiresAt)
  const asksCountry = buyers.countriesRefused.length > 0

  const create = useChange({
    run: () =>
      call(orderRoutes.create, {
        body: {
          quoteId: quote.id,
          acceptTerms: true,
          termsVersion: accepted?.terms,
          risksVersion: accepted?.risks,
          ...(country ? { country } : {}),
          ...(buyers.minimumAge > 0 ? { ageConfirmed: true } : {}),
        },
        // Named by the quote, which makes one order: a repeat, even after a reload, answers the same one.
        idempotencyKey: `order-${quote.id}-${attempt}`,
      }),
    untilAnswered: true,
    touches: touched.orders,
    failed: false,
    onFail: (error) => {
      if (refusalCode(error)) setAttempt(attempt + 1)
      if (refusalCode(error) !== 'terms_changed') return
      setAccepted(null)
      readAgain(client, touched.campaign)
    },
    done: (order) => navigate(paths.order(order.token)),
  })

  const confirm = () => {
    if (asksCountry && !country) {
      setMissing('country')
      return
    }
    if (!accepted) {
      setMissing('terms')
      acceptBox.current?.focus()
      return
    }
    setMissing(null)
    create.mutate()
  }

  const code = refusalCode(create.error)
  const expired = code === 'quote_expired' || (left.over && !create.isPending && !create.isSuccess)
  const age = buyers.minimumAge
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Send your payment</Trans>}
      footer={
        expired ? (
          <Button onClick={onExpired}>
            <Trans>Get a new rate</Trans>
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onBack} disabled={create.isPending}>
              <Trans>Cancel</Trans>
            </Button>
            <Button onClick={confirm} loading={create.isPending || create.isSuccess}>
              <Trans>Confirm</Trans>
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-6 sm:grid-cols-[auto_1fr]">
        <div className="justify-self-center">
          {quote.address ? (
            <QrCode text={quote.qrText} title={t`QR code of the payment`} />
          ) : (
            <p className="grid size-35 place-items-center rounded-sm border border-dashed border-line-strong p-3 text-center text-sm">
              <Trans>Address not specified</Trans>
            </p>
          )}
        </div>
        <div className="min-w-0">
          <Copyable label={<Trans>Send exactly</Trans>} text={quote.cryptoAmount} what={t`Copy the amount`}>
            <TokenAmount value={quote.cryptoAmount} unit={quote.currency} decimalsMax={18} />
          </Copyable>
          {quote.address ? (
            <Copyable label={<Trans>To this address</Trans>} text={quote.address} what={t`Copy the address`}>
              <span className="figures text-sm break-all">{quote.address}</span>
            </Copyable>
          ) : null}
          <p className="mt-1 text-sm text-soft">
            {payersNetworkName(quote.network) ? (
              <Trans>On {payersNetworkName(quote.network)} only. Another network means lost money.</Trans>
            ) : (
              <Trans>On this coin's own network only. Another network means lost money.</Trans>
            )}
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-3">
            {campaign.demo ? <DemoWarning /> : null}
            <WalletLink uri={quote.walletUri} />
          </div>
        </div>
      </div>
      <p className="mt-5 border-y border-line py-3 text-sm">
        {expired ? (
          <strong className="text-danger">
            <Trans>The rate was held until now. Get a new one before you send anything.</Trans>
          </strong>
        ) : (
          <Trans>
            The rate is held for another <TimeLeft until={quote.expiresAt} />.
          </Trans>
        )}
      </p>
      {expired ? null : (
        <div className="mt-4 flex flex-col gap-4">
          <PaymentRules purchase={quote} />
          {asksCountry ? (
            <Suspense fallback={null}>
              <CountryChoice
                value={country}
                onValueChange={setCountry}
                refused={buyers.countriesRefused}
                error={missing === 'country' ? t`Choose your country.` : undefined}
              />
            </Suspense>
          ) : null}
          <Checkbox
            checked={accepted !== null}
            onCheckedChange={(next) => {
              setAccepted(next ? campaign.legalVersions : null)
              if (next && missing === 'terms') setMissing(null)
            }}
            inputRef={acceptBox}
            error={missing === 'terms' ? t`Please accept the terms and the risk notice.` : undefined}
          >
            {age > 0 ? (
              <Trans>I am {age} or older, and I accept the terms and the risk notice.</Trans>
            ) : (
              <Trans>I accept the terms and the risk notice.</Trans>
            )}
          </Checkbox>
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm [&_a]:underline [&_a]:underline-offset-4">
            <a href={paths.terms} target="_blank" rel="noreferrer">
              <Trans>Terms</Trans>
            </a>
            <a href={paths.risks} target="_blank" rel="noreferrer">
              <Trans>Risk notice</Trans>
            </a>
            <a href={paths.privacy} target="_blank" rel="noreferrer">
              <Trans>Privacy policy</Trans>
            </a>
          </p>
        </div>
      )}
      <div className="mt-4 flex flex-col gap-3">
        <Offline />
        {create.isPending ? (
          <p role="status" className="text-sm text-soft">
            <Trans>Create your Order. Please wait</Trans>
          </p>
        ) : null}
        <FormError>{create.error && !expired ? <OrderFailure error={create.error} /> : null}</FormError>
      </div>
    </Dialog>
  )
}

function OrderFailure({ error }: { error: unknown }) {
  if (!refusalCode(error)) return <Trans>An error occurred while creating the transaction</Trans>
  const message = errorText(error)
  return <Trans>Transaction error: {message}</Trans>
}

function Copyable({
  label,
  text,
  what,
  children,
}: {
  label: ReactNode
  text: string
  what: string
  children: ReactNode
}) {
  return (
    <div className="border-b border-line py-2 first:pt-0">
      <p className="text-sm text-soft">{label}</p>
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 text-lg font-semibold">{children}</span>
        <CopyButton text={text} what={what} className="shrink-0" />
      </div>
    </div>
  )
}
