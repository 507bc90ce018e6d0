import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import type { QuoteAmounts } from '../../../shared/api/orders.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { useDebounced } from '../../ui/clock.ts'
import { Percent, TokenAmount } from '../../ui/numbers.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { type QuoteQuestion, useQuotePreview } from '../queries.ts'
import { Row } from './PurchaseParts.tsx'

/** Shows what the server says the amount comes to, and the button that begins the purchase. */
export function PaymentPanel({
  settings,
  currency,
  question,
  isWithinLimits,
  closed,
  onBuy,
}: {
  settings: PublicCampaign['settings']
  currency: PublicCurrency
  /** Null where there is nothing to ask the server. */
  question: QuoteQuestion | null
  isWithinLimits: boolean
  /** Why the sale is closed. */
  closed: string | null
  onBuy: () => void
}) {
  const { t } = useLingui()
  const preview = useSettledPreview(question)
  const cannotPay = useWhyNotPayable(currency)
  return (
    <section className="min-w-0" aria-label={t`Your purchase`}>
      <dl className="border-t border-line" aria-busy={preview.isFetching || undefined}>
        <QuoteRows quote={question && !preview.isError ? preview.data : undefined} settings={settings} />
      </dl>
      {preview.isError && question ? (
        <ErrorState
          className="mt-4"
          title={errorText(preview.error)}
          onRetry={() => void preview.refetch()}
          retrying={preview.isFetching}
        />
      ) : null}
      <div className="mt-5">
        <Button
          size="lg"
          wide
          disabled={!isWithinLimits}
          disabledReason={closed ?? cannotPay}
          onClick={onBuy}
        >
          <Trans>Buy Now</Trans>
        </Button>
        <p className="mt-2 text-center text-sm text-soft">
          <Trans>
            1 {currency.code} = <TokenAmount value={currency.rate} unit={settings.symbol} />
          </Trans>
        </p>
      </div>
    </section>
  )
}

/** What a quote says. A figure that is not known yet is a dash. */
function QuoteRows({
  quote,
  settings: { levels, symbol },
}: {
  quote: QuoteAmounts | undefined
  settings: PublicCampaign['settings']
}) {
  const dash = <span className="text-faint">—</span>
  const strong = 'text-lg font-semibold'
  const level = levels.find(({ key }) => key === quote?.levelKey)
  return (
    <>
      <Row label={<Trans>Bonus level</Trans>}>{quote ? level?.name : dash}</Row>
      <Row label={<Trans>Bonus</Trans>}>
        {quote ? (
          <>
            <Percent value={quote.bonusPercent} />
            {' · '}
            <TokenAmount value={quote.bonusTokens} unit={symbol} />
          </>
        ) : (
          dash
        )}
      </Row>
      <Row label={<Trans>You receive</Trans>} className={strong}>
        {quote ? <TokenAmount value={quote.receiveTokens} unit={symbol} /> : dash}
      </Row>
      <Row label={<Trans>You send</Trans>} className={strong}>
        {quote ? (
          <span className="inline-flex items-center gap-2">
            <CoinIcon code={quote.currency} className="size-5" />
            <TokenAmount value={quote.cryptoAmount} unit={quote.currency} />
          </span>
        ) : (
          dash
        )}
      </Row>
    </>
  )
}

/** Asks the server once the typing rests. */
function useSettledPreview(question: QuoteQuestion | null) {
  const settled = useDebounced(JSON.stringify(question), 200)
  return useQuotePreview(JSON.parse(settled) as QuoteQuestion | null)
}

function useWhyNotPayable({ unavailable }: PublicCurrency): string | null {
  const { t } = useLingui()
  if (!unavailable) return null
  return {
    paused: t`This currency is paused.`,
    rate_stale: t`There is no fresh rate for this currency just now.`,
    address_missing: t`Address not specified`,
  }[unavailable]
}
