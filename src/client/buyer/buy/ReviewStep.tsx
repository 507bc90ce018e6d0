import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import type { PurchaseAmounts } from '../../../shared/api/orders.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { Money, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton, Spinner } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { asksCountry } from '../asks-country.ts'
import { ConfirmedBy } from '../ConfirmedBy.tsx'
import { LittleLeft } from '../LittleLeft.tsx'
import { useCurrencies } from '../queries.ts'
import { YouGet } from '../YouGet.tsx'
import type { Purchase } from './PurchaseDialog.tsx'
import { Offline, Row } from './PurchaseParts.tsx'

const EscrowPayer = lazy(() => import('./EscrowPayer.tsx').then((part) => ({ default: part.EscrowPayer })))
const CountryChoice = lazy(() =>
  import('../CountryChoice.tsx').then((part) => ({ default: part.CountryChoice })),
)

interface ReviewProps {
  campaign: PublicCampaign
  currency: PublicCurrency
  purchase: Purchase
}

export function ReviewStep({ campaign, currency, purchase, onClose }: ReviewProps & { onClose: () => void }) {
  const { t } = useLingui()
  const { form, preview, payer, setPayer, before } = purchase
  const now = preview.data
  const lacksPayer = currency.inEscrow && payer === ''
  const failure = before ? null : (form.failure ?? (now || !preview.error ? null : errorText(preview.error)))
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
            type="submit"
            form={form.formProps.id}
            loading={form.isPending}
            disabled={!now || (before && preview.isFetching)}
            disabledReason={lacksPayer && t`Connect the wallet that pays, or enter its account.`}
          >
            <Trans>Continue</Trans>
          </Button>
        </>
      }
    >
      <Terms campaign={campaign} currency={currency} terms={now} />
      {before && now && before !== now ? (
        <PriceChanged before={before} now={now} symbol={campaign.settings.symbol} />
      ) : null}
      <LittleLeft campaign={campaign} currency={currency} />
      {currency.inEscrow ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <EscrowPayer network={currency.network} payer={payer} onPayer={setPayer} />
        </Suspense>
      ) : (
        <NotEscrowed />
      )}
      <Declarations campaign={campaign} purchase={purchase} />
      <div className="mt-4 flex flex-col gap-3">
        <Offline />
        {form.isPending ? (
          <p role="status" className="flex items-center gap-2 text-sm text-soft">
            <Spinner />
            <Trans>Create your Order. Please wait</Trans>
          </p>
        ) : null}
        <FormError>{failure}</FormError>
      </div>
    </Dialog>
  )
}

function PriceChanged({
  before,
  now,
  symbol,
}: Record<'before' | 'now', PurchaseAmounts> & { symbol: string }) {
  const amounts = ({ currency, cryptoAmount, receiveTokens, priceUsd }: PurchaseAmounts) => (
    <>
      <TokenAmount value={cryptoAmount} unit={currency} /> →{' '}
      <TokenAmount value={receiveTokens} unit={symbol} />
      {before.priceUsd === now.priceUsd ? null : (
        <>
          {' · '}
          <Trans>
            <Money value={priceUsd} price /> each
          </Trans>
        </>
      )}
    </>
  )
  return (
    <div className="mt-3">
      <Notice tone="danger">
        <p className="font-semibold">
          <Trans>The price has changed. Press Continue to agree to the new one.</Trans>
        </p>
        <p>
          <Trans>Before: {amounts(before)}</Trans>
        </p>
        <p>
          <Trans>Now: {amounts(now)}</Trans>
        </p>
      </Notice>
    </div>
  )
}

/** Shown if other currencies of the sale have an escrow. */
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

function Terms({
  campaign,
  currency,
  terms,
}: {
  campaign: PublicCampaign
  currency: PublicCurrency
  terms: PurchaseAmounts | undefined
}) {
  const { symbol, expiryMinutes, moneyBackDays } = campaign.settings
  return (
    <>
      {terms ? (
        <p className="mb-4 text-lg">
          <YouGet gets={terms} symbol={symbol} />
        </p>
      ) : null}
      <dl className="-mt-2 [&_dd]:text-right [&_dd]:font-semibold [&>div:last-child]:border-b-0">
        <Row label={<Trans>Amount</Trans>}>
          <TokenAmount value={terms?.cryptoAmount} unit={currency.code} />
          {terms ? (
            <Beside>
              <Money value={terms.usd} />
            </Beside>
          ) : null}
        </Row>
        <Row label={<Trans>Receive</Trans>}>
          <TokenAmount value={terms?.baseTokens} unit={symbol} />
        </Row>
        <Row label={<Trans>Bonus Tokens</Trans>}>
          <TokenAmount value={terms?.bonusTokens} unit={symbol} />
          {terms ? (
            <Beside>
              <Percent value={terms.bonusPercent} />
            </Beside>
          ) : null}
        </Row>
        <Row label={<Trans>Network</Trans>}>{payersNetworkName(currency.network) || currency.fullName}</Row>
        <Row label={<Trans>Payment confirmation</Trans>}>
          <ConfirmedBy currency={currency} campaign={campaign} />
        </Row>
        <Row label={<Trans>Rate held for</Trans>}>
          <FromContinue minutes={expiryMinutes} />
        </Row>
        {moneyBackDays > 0 ? (
          <Row label={<Trans>Money back</Trans>}>
            <Trans>for {moneyBackDays} days, not after the sale</Trans>
          </Row>
        ) : null}
      </dl>
    </>
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

function FromContinue({ minutes }: { minutes: number }) {
  const hours = minutes / 60
  if (minutes < 120 || !Number.isInteger(hours)) return <Trans>{minutes} min from Continue</Trans>
  return <Trans>{hours} h from Continue</Trans>
}

function Declarations({ campaign, purchase: { form, frame } }: Omit<ReviewProps, 'currency'>) {
  const { countriesRefused, minimumAge: age } = campaign.settings.buyers
  return (
    <form {...form.formProps} className="mt-4 flex flex-col gap-4">
      {asksCountry(campaign) ? (
        <Suspense fallback={null}>
          <CountryChoice
            {...form.value('country')}
            refused={countriesRefused}
            error={form.error('country')}
          />
        </Suspense>
      ) : null}
      <Checkbox
        checked={form.values.accepted !== null}
        onCheckedChange={(next) => form.set({ accepted: next ? campaign.legalVersions : null })}
        error={form.error('accepted')}
      >
        {age > 0 ? (
          <Trans>I am {age} or older, and I accept the terms and the risk notice.</Trans>
        ) : (
          <Trans>I accept the terms and the risk notice.</Trans>
        )}
      </Checkbox>
      {/* The link's maker knows the key, so the buyer decides whether they get the order's state. */}
      {frame ? (
        <Checkbox checked={form.values.isTold} onCheckedChange={(isTold) => form.set({ isTold })}>
          <Trans>
            Tell the site that led me here this order's number, its amounts and what becomes of it. Optional.
          </Trans>
        </Checkbox>
      ) : null}
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
    </form>
  )
}
