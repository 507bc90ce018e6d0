import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import type { BoundQuote, OrderEscrow, QuoteAmounts } from '../../../shared/api/orders.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { Money, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { EscrowTerms } from '../purchase-parts.ts'
import { type QuoteQuestion, useCurrencies, useQuotePreview } from '../queries.ts'
import { NotHeld, Offline, Row, TimeLeft } from './PurchaseParts.tsx'

// What speaks with wallets is fetched by who pays with one.
const EscrowPayer = lazy(() => import('./EscrowPayer.tsx').then((part) => ({ default: part.EscrowPayer })))

/** Step 1 says what the purchase is, before anything is reserved. */
export function ReviewStep({
  settings,
  currency,
  question,
  busy,
  error,
  bound,
  payer,
  onPayer,
  onOtherPayer,
  onContinue,
  onClose,
}: {
  settings: PublicCampaign['settings']
  currency: PublicCurrency
  question: QuoteQuestion
  busy: boolean
  error: unknown
  /** The quote that is reserved already: the buyer has come back from step 2. */
  bound: BoundQuote | undefined
  /** Who pays into the escrow. */
  payer: string
  onPayer: (payer: string) => void
  /** Gives the reserved quote up, because another account is to pay. */
  onOtherPayer: () => void
  onContinue: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const preview = useQuotePreview(question)
  const quote = bound ?? preview.data
  const lacksPayer = currency.inEscrow && !bound && payer === ''
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
          <Button
            onClick={onContinue}
            loading={busy}
            disabled={!quote && !error}
            disabledReason={lacksPayer && t`Connect the wallet that pays, or enter its account.`}
          >
            <Trans>Continue</Trans>
          </Button>
        </>
      }
    >
      <Terms settings={settings} currency={currency} quote={quote} bound={bound} />
      {quote ? <NotHeld quote={{ ...quote, watched: currency.watched }} /> : null}
      {currency.inEscrow && !bound ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <EscrowPayer network={currency.network} payer={payer} onPayer={onPayer} />
        </Suspense>
      ) : null}
      {bound?.escrow ? <BoundEscrow escrow={bound.escrow} onOtherPayer={onOtherPayer} /> : null}
      {currency.inEscrow ? null : <NotEscrowed />}
      <Offline />
      <FormError>{problem ? errorText(problem) : null}</FormError>
    </Dialog>
  )
}

function BoundEscrow({ escrow, onOtherPayer }: { escrow: OrderEscrow; onOtherPayer: () => void }) {
  return (
    <>
      <Suspense fallback={<Skeleton className="h-48" />}>
        <EscrowTerms escrow={escrow} />
      </Suspense>
      <Button size="sm" variant="secondary" className="mt-3" onClick={onOtherPayer}>
        <Trans>Pay from another account</Trans>
      </Button>
    </>
  )
}

/** Where other currencies of the sale are paid into an escrow, who pays in this one is told that it is not. */
function NotEscrowed() {
  const isOffered = useCurrencies().data?.some(({ inEscrow }) => inEscrow)
  if (!isOffered) return null
  return (
    <Notice>
      <Trans>
        A payment in this currency is not escrowed: it goes to the seller at once, and no contract gives it
        back.
      </Trans>
    </Notice>
  )
}

/** What is paid and received, and how long that stands. */
function Terms({
  settings: { symbol, quoteMinutes },
  currency,
  quote,
  bound,
}: Pick<Parameters<typeof ReviewStep>[0], 'settings' | 'currency' | 'bound'> & {
  quote: QuoteAmounts | undefined
}) {
  return (
    <dl className="-mt-2 [&_dd]:text-right [&_dd]:font-semibold [&>div:last-child]:border-b-0">
      <Row label={<Trans>Amount</Trans>}>
        <TokenAmount value={quote?.cryptoAmount} unit={currency.code} />
        {quote ? (
          <Beside>
            <Money value={quote.usd} />
          </Beside>
        ) : null}
      </Row>
      <Row label={<Trans>Receive</Trans>}>
        <TokenAmount value={quote?.baseTokens} unit={symbol} />
      </Row>
      <Row label={<Trans>Bonus Tokens</Trans>}>
        <TokenAmount value={quote?.bonusTokens} unit={symbol} />
        {quote ? (
          <Beside>
            <Percent value={quote.bonusPercent} />
          </Beside>
        ) : null}
      </Row>
      <Row label={<Trans>Network</Trans>}>{payersNetworkName(currency.network) || currency.fullName}</Row>
      <Row label={<Trans>Confirmed by</Trans>}>
        {currency.watched ? <Trans>the network, by itself</Trans> : <Trans>an operator, by hand</Trans>}
      </Row>
      <Row label={<Trans>Rate held for</Trans>}>
        {bound ? <TimeLeft until={bound.expiresAt} /> : <MinutesFromContinue minutes={quoteMinutes} />}
      </Row>
    </dl>
  )
}

function Beside({ children }: { children: ReactNode }) {
  return (
    <span className="font-normal text-soft">
      {' · '}
      {children}
    </span>
  )
}

function MinutesFromContinue({ minutes }: { minutes: number }) {
  return <Trans>{minutes} min from Continue</Trans>
}
