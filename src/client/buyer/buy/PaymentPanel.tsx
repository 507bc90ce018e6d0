import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import type { PurchaseAmounts } from '../../../shared/api/orders.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { useDebounced } from '../../ui/clock.ts'
import { networkTag } from '../../ui/network-names.ts'
import { Money, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { ConfirmedBy } from '../ConfirmedBy.tsx'
import { type PurchaseQuestion, usePreview } from '../queries.ts'
import { YouGet } from '../YouGet.tsx'
import { Row } from './PurchaseParts.tsx'

/** Layout: the amount, and on wide screens the coins beside it. */
export const buyColumns =
  'grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]'

interface PaymentPanelProps {
  campaign: PublicCampaign
  currency: PublicCurrency
  /** Null if the amount needs no preview. */
  question: PurchaseQuestion | null
  isWithinLimits: boolean
  closed: string | null
  onBuy: () => void
  onReach: () => void
  /** True between the press and the opening of the dialog. */
  isOpening: boolean
  children: ReactNode
  picker: ReactNode
}

export function PaymentPanel({ question, campaign, children, picker, ...rest }: PaymentPanelProps) {
  const { t } = useLingui()
  const preview = useSettledPreview(question)
  const amounts = question && !preview.isError ? preview.data : undefined
  return (
    <>
      <div className={buyColumns}>
        <div className="min-w-0">
          {children}
          <section className="mt-2 lg:mt-4" aria-label={t`Your purchase`}>
            <dl className="border-t border-line" aria-busy={preview.isFetching || undefined}>
              <AmountRows amounts={amounts} settings={campaign.settings} />
              {/* Narrow windows show it with the coin. */}
              <Row label={<Trans>Payment confirmation</Trans>} className="text-sm" isWideOnly>
                <ConfirmedBy currency={rest.currency} campaign={campaign} />
              </Row>
            </dl>
            {preview.isError && question ? (
              <ErrorState
                className="mt-4"
                title={errorText(preview.error)}
                onRetry={() => void preview.refetch()}
                retrying={preview.isFetching}
              />
            ) : null}
          </section>
        </div>
        <div className="hidden min-w-0 lg:block">{picker}</div>
      </div>
      <BuyBar amounts={amounts} settings={campaign.settings} {...rest} />
    </>
  )
}

/** The purchase in one line and the page's one button, always visible. */
function BuyBar({
  amounts,
  settings: { symbol },
  currency,
  isWithinLimits,
  closed,
  onBuy,
  onReach,
  isOpening,
}: Omit<PaymentPanelProps, 'question' | 'campaign' | 'children' | 'picker'> & {
  amounts: PurchaseAmounts | undefined
  settings: PublicCampaign['settings']
}) {
  const cannotPay = useWhyNotPayable(currency)
  const network = networkTag(currency)
  const unit = network ? `${currency.code} (${network})` : currency.code
  return (
    <div
      data-bottom-bar=""
      className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line-strong bg-paper px-4 py-3 sm:-mx-8 sm:px-8"
    >
      <p className="min-w-0 flex-1 basis-72 text-sm sm:text-base">
        {amounts ? (
          <Trans>
            You send <TokenAmount value={amounts.cryptoAmount} unit={unit} className="font-semibold" /> ·{' '}
            <Money value={amounts.usd} /> →{' '}
            <TokenAmount value={amounts.receiveTokens} unit={symbol} className="font-semibold" />
          </Trans>
        ) : (
          <span className="text-soft">
            <Trans>
              1 {currency.code} = <TokenAmount value={currency.rate} unit={symbol} />
            </Trans>
          </span>
        )}
      </p>
      <Button
        size="lg"
        className="w-full sm:w-56"
        disabled={!isWithinLimits}
        disabledReason={closed ?? cannotPay}
        loading={isOpening}
        onPointerEnter={onReach}
        onFocus={onReach}
        onClick={onBuy}
      >
        <Trans>Buy Now</Trans>
      </Button>
    </div>
  )
}

function AmountRows({
  amounts,
  settings: { levels, symbol },
}: {
  amounts: PurchaseAmounts | undefined
  settings: PublicCampaign['settings']
}) {
  const dash = <span className="text-faint">—</span>
  const strong = 'text-lg font-semibold'
  const level = levels.find(({ key }) => key === amounts?.levelKey)
  return (
    <>
      <Row label={<Trans>You send</Trans>} className={strong}>
        {amounts ? (
          <>
            <TokenAmount value={amounts.cryptoAmount} unit={amounts.currency} />
            <span className="text-base font-normal text-soft">
              {' · '}
              <Money value={amounts.usd} />
            </span>
          </>
        ) : (
          dash
        )}
      </Row>
      <Row label={<Trans>Bonus</Trans>}>
        {amounts ? (
          <>
            {level ? <LocalText text={level.name} /> : null}
            {' · '}
            <Percent value={amounts.bonusPercent} />
            {' · '}
            <TokenAmount value={amounts.bonusTokens} unit={symbol} />
          </>
        ) : (
          dash
        )}
      </Row>
      <div className="border-b border-line py-2 text-lg">
        <dt className="sr-only">
          <Trans>Total</Trans>
        </dt>
        <dd>{amounts ? <YouGet gets={amounts} symbol={symbol} /> : dash}</dd>
      </div>
    </>
  )
}

/** Asks the server after a pause in typing. */
function useSettledPreview(question: PurchaseQuestion | null) {
  const settled = useDebounced(JSON.stringify(question), 200)
  return usePreview(JSON.parse(settled) as PurchaseQuestion | null)
}

/** Null if it can be used now. */
function useWhyNotPayable({ unavailable }: PublicCurrency): string | null {
  const { t } = useLingui()
  if (!unavailable) return null
  return {
    paused: t`This currency is paused.`,
    rate_stale: t`There is no fresh rate for this currency just now.`,
    address_missing: t`Address not specified`,
  }[unavailable]
}
