import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { amount } from '../figures.ts'
import { useCampaign, usePage } from '../frame.tsx'
import { Claim, slot } from './Claim.tsx'

export function Swap() {
  return (
    <Claim
      title={<Trans>Zero platform fee</Trans>}
      lead={
        <Trans>
          You send what the tokens cost at the public rate. The site adds nothing; the network of the coin has
          a fee of its own.
        </Trans>
      }
    >
      <SwapForm island="swap" />
    </Claim>
  )
}

/** Without an `island` the form belongs to the surrounding one. */
export function SwapForm({ island }: { island?: 'swap' }) {
  const { t } = useLingui()
  const { currencies, locale } = usePage()
  const { settings, priceUsd } = useCampaign()
  const accepted = currencies.filter((currency) => currency.unavailable === null)
  const words = {
    network: t`The amount could not be fetched. Try again in a moment.`,
    which: t`This can be two numbers. Which one?`,
    get: t`You get ${slot.total} ${settings.symbol}: ${slot.base} + ${slot.bonus} bonus`,
    limits: t`One order: ${amount(settings.orderMinimumTokens, locale)}–${amount(settings.orderMaximumTokens, locale)} ${settings.symbol}.`,
  }
  if (accepted.length === 0 || !priceUsd)
    return (
      <p className="border border-line-strong px-4 py-6 text-soft">
        <Trans>No coin is accepted just now, so there is nothing to swap.</Trans>
      </p>
    )
  return (
    <form
      data-island={island}
      data-symbol={settings.symbol}
      data-maximum={settings.orderMaximumTokens}
      data-words={JSON.stringify(words)}
      className="grid max-w-lg grid-cols-1 gap-2"
      noValidate
    >
      <AmountField name="send" label={<Trans>You send</Trans>}>
        <button type="button" data-max className="press min-h-9 px-3 text-sm">
          <Trans>Max</Trans>
        </button>
        <CoinChoice codes={accepted.map(({ code }) => code)} />
      </AmountField>
      <AmountField name="receive" label={<Trans>You receive</Trans>} initial={settings.orderDefaultTokens}>
        <span className="font-semibold">{settings.symbol}</span>
      </AmountField>
      <div className="flex min-h-12 justify-between gap-4 text-sm">
        <p id="swap-note" role="status" data-note className="text-soft" />
        <p className="font-semibold whitespace-nowrap text-success">
          <Trans>No fee</Trans>
        </p>
      </div>
    </form>
  )
}

function CoinChoice({ codes }: { codes: string[] }) {
  const { t } = useLingui()
  return (
    <span className="flex items-center">
      <select
        name="currency"
        aria-label={t`Coin`}
        className="h-9 appearance-none bg-transparent pe-6 font-semibold"
      >
        {codes.map((code) => (
          <option key={code} value={code} className="bg-raised">
            {code}
          </option>
        ))}
      </select>
      <svg viewBox="0 0 20 20" className="pointer-events-none -ms-5 size-5" aria-hidden="true">
        <path d="m5 8 5 5 5-5" stroke="currentColor" strokeWidth="2" fill="none" />
      </svg>
    </span>
  )
}

function AmountField({
  name,
  label,
  initial,
  children,
}: {
  name: string
  label: ReactNode
  initial?: string
  children: ReactNode
}) {
  const id = `swap-${name}`
  return (
    <div>
      <label htmlFor={id} className="text-sm text-soft">
        {label}
      </label>
      <div className="flex items-center gap-3 border border-line-strong bg-raised px-4 py-3 focus-within:outline-2 focus-within:outline-ring">
        <input
          id={id}
          name={name}
          inputMode="decimal"
          autoComplete="off"
          maxLength={25}
          defaultValue={initial}
          aria-describedby="swap-note"
          className="figures min-w-0 flex-1 bg-transparent text-xl outline-none"
        />
        {children}
      </div>
    </div>
  )
}
