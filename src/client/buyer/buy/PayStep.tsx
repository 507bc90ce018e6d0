import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { framedOrderRoutes } from '../../../shared/api/framed-orders.ts'
import { type BoundQuote, type OrderEscrow, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { queryClient } from '../../area/query-client.ts'
import { readAgain } from '../../area/reading.ts'
import { type FormRules, useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useCountdown } from '../../ui/clock.ts'
import { DemoWarning } from '../../ui/DemoRibbon.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { Money, TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { asksCountry } from '../asks-country.ts'
import { PaymentRules } from '../PaymentRules.tsx'
import { EscrowTerms } from '../purchase-parts.ts'
import { touched } from '../touched.ts'
import { WalletLink } from '../WalletLink.tsx'
import { frameOf } from './frame-of.ts'
import { NotHeld, Offline, TimeLeft } from './PurchaseParts.tsx'

const CountryChoice = lazy(() =>
  import('../CountryChoice.tsx').then((part) => ({ default: part.CountryChoice })),
)

/** Step 2 says what to send where, asks what the buyer declares, and makes the order. */
export function PayStep({
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
  const form = useOrderForm(campaign, quote)
  const left = useCountdown(quote.expiresAt)
  const isExpired = form.refusal === 'quote_expired' || (left.over && !form.isPending)
  // The place that the quote promised is gone: another quote says what holds now.
  const isTaken = form.refusal === 'place_not_held'
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={<Trans>Send your payment</Trans>}
      footer={
        isExpired || isTaken ? (
          <Button onClick={onExpired}>
            <Trans>Get a new rate</Trans>
          </Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onBack} disabled={form.isPending}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" form={form.formProps.id} loading={form.isPending}>
              <Trans>Confirm</Trans>
            </Button>
          </>
        )
      }
    >
      <WhatToSend quote={quote} isDemo={campaign.demo} />
      <div className="mt-5">
        <NotHeld quote={quote} />
      </div>
      <p className="mt-5 border-y border-line py-3 text-sm">
        {isExpired ? (
          <strong className="text-danger">
            <Trans>The rate was held until now. Get a new one before you send anything.</Trans>
          </strong>
        ) : (
          <Trans>
            The rate is held for another <TimeLeft until={quote.expiresAt} />.
          </Trans>
        )}
      </p>
      {isExpired ? null : <Declarations campaign={campaign} quote={quote} form={form} />}
      <div className="mt-4 flex flex-col gap-3">
        <Offline />
        {form.isPending ? (
          <p role="status" className="text-sm text-soft">
            <Trans>Create your Order. Please wait</Trans>
          </p>
        ) : null}
        <FormError>{isExpired ? null : form.failure}</FormError>
      </div>
    </Dialog>
  )
}

type LegalVersions = PublicCampaign['legalVersions']

interface Declared {
  country: string | null
  /** The versions that stood when the box was ticked, because the buyer has read no others. */
  accepted: LegalVersions | null
  /** Whether the site that led here is told of the order. */
  isTold: boolean
}

function useDeclarationRules(isAsked: boolean): FormRules<Declared & { accepted: LegalVersions }> {
  const { t } = useLingui()
  return {
    now: (values) => {
      const { country, accepted, isTold } = values as Declared
      if (isAsked && !country) return { errors: [{ path: 'country', message: t`Choose your country.` }] }
      if (accepted) return { data: { country, accepted, isTold } }
      return { errors: [{ path: 'accepted', message: t`Please accept the terms and the risk notice.` }] }
    },
  }
}

/** Makes the quote an order. The quote names the call, so that a repeat after a reload answers the same order. */
function useOrderForm(campaign: PublicCampaign, quote: BoundQuote) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState(1)
  const [search] = useSearchParams()
  const frame = frameOf(search)
  const form = useForm({
    initial: { country: null, accepted: null, isTold: false } as Declared,
    rules: useDeclarationRules(asksCountry(campaign)),
    send: async ({ country, accepted, isTold }) => {
      if (frame)
        await call(framedOrderRoutes.tell, {
          params: { id: quote.id },
          body: { keyHash: isTold ? frame : null },
        })
      return call(orderRoutes.create, {
        body: {
          quoteId: quote.id,
          acceptTerms: true,
          termsVersion: accepted.terms,
          risksVersion: accepted.risks,
          ...(country ? { country } : {}),
          ...(campaign.settings.buyers.minimumAge > 0 ? { ageConfirmed: true } : {}),
        },
        idempotencyKey: `order-${quote.id}-${attempt}`,
      })
    },
    untilAnswered: true,
    touches: touched.orders,
    done: (order) => navigate(paths.order(order.token)),
    words: (error) => {
      const message = errorText(error)
      return refusalCode(error)
        ? t`Transaction error: ${message}`
        : t`An error occurred while creating the transaction`
    },
    onFail: (error) => {
      if (refusalCode(error)) setAttempt(attempt + 1)
      if (refusalCode(error) !== 'terms_changed') return
      form.set({ accepted: null })
      readAgain(queryClient, touched.campaign)
    },
  })
  return form
}

/** What the wallet pays once the order is made, and under which terms. */
function WhatToEscrow({ quote, escrow }: { quote: BoundQuote; escrow: OrderEscrow }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-lg font-semibold">
        <TokenAmount value={quote.cryptoAmount} unit={quote.currency} decimalsMax={18} />
        <span className="text-base font-normal text-soft">
          {' · '}
          <Money value={quote.usd} />
        </span>
      </p>
      <p>
        <Trans>After Confirm your wallet pays this into the escrow, on the next page.</Trans>
      </p>
      <Suspense fallback={<Skeleton className="h-48" />}>
        <EscrowTerms escrow={escrow} />
      </Suspense>
    </div>
  )
}

function WhatToSend({ quote, isDemo }: { quote: BoundQuote; isDemo: boolean }) {
  return quote.escrow ? (
    <WhatToEscrow quote={quote} escrow={quote.escrow} />
  ) : (
    <WhatToAddress quote={quote} isDemo={isDemo} />
  )
}

function WhatToAddress({ quote, isDemo }: { quote: BoundQuote; isDemo: boolean }) {
  const { t } = useLingui()
  const network = payersNetworkName(quote.network)
  return (
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
          <span className="text-base font-normal text-soft">
            {' · '}
            <Money value={quote.usd} />
          </span>
        </Copyable>
        {quote.address ? (
          <Copyable label={<Trans>To this address</Trans>} text={quote.address} what={t`Copy the address`}>
            <span className="figures text-sm break-all">{quote.address}</span>
          </Copyable>
        ) : null}
        <p className="mt-1 text-sm text-soft">
          {network ? (
            <Trans>On {payersNetworkName(quote.network)} only. Another network means lost money.</Trans>
          ) : (
            <Trans>On this coin's own network only. Another network means lost money.</Trans>
          )}
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {isDemo && !quote.escrow ? <DemoWarning /> : null}
          <WalletLink uri={quote.walletUri} />
        </div>
      </div>
    </div>
  )
}

/** Asks where the buyer lives, and whether they accept the texts of the sale. */
function Declarations({
  campaign,
  quote,
  form,
}: {
  campaign: PublicCampaign
  quote: BoundQuote
  form: ReturnType<typeof useOrderForm>
}) {
  const { countriesRefused, minimumAge: age } = campaign.settings.buyers
  return (
    <form {...form.formProps} className="mt-4 flex flex-col gap-4">
      {quote.escrow ? null : <PaymentRules purchase={quote} />}
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
      <TellFrame form={form} />
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

/** Whoever made the link knows the key, so it is the buyer who says whether they are told. */
function TellFrame({ form }: { form: ReturnType<typeof useOrderForm> }) {
  const [search] = useSearchParams()
  if (!frameOf(search)) return null
  return (
    <Checkbox checked={form.values.isTold} onCheckedChange={(isTold) => form.set({ isTold })}>
      <Trans>
        Tell the site that led me here this order's number, its amounts and what becomes of it. Optional.
      </Trans>
    </Checkbox>
  )
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
