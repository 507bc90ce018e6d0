import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowUpDown } from 'lucide-react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { isAmount } from '../../../shared/money.ts'
import { readingsOf } from '../../../shared/typed-decimal.ts'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput, WhichDecimal } from '../../ui/DecimalInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import type { TypedAmount } from './typed-amount.ts'

export function AmountField({
  typed: { amount, setAmount, unit, minimum, isTooLittle, isTooMuch, swap },
  settings: { symbol, orderMaximumTokens },
  currency: { code },
}: {
  typed: TypedAmount
  settings: PublicCampaign['settings']
  currency: PublicCurrency
}) {
  const { t } = useLingui()
  const now = { token: symbol, crypto: code, usd: 'USD' }[unit]
  const other = unit === 'token' ? code : symbol
  return (
    <Field
      label={<Trans>Amount</Trans>}
      hint={
        <Trans>
          From <TokenAmount value={minimum} /> to <TokenAmount value={orderMaximumTokens} unit={symbol} /> an
          order
        </Trans>
      }
      error={
        isTooLittle ? (
          <Trans>
            The minimum is <TokenAmount value={minimum} unit={symbol} />.
          </Trans>
        ) : isTooMuch ? (
          <Trans>
            The maximum per order is <TokenAmount value={orderMaximumTokens} unit={symbol} />.
          </Trans>
        ) : amount !== '' && !isAmount(amount) && !readingsOf(amount) ? (
          t`Enter a plain number with at most 6 decimals.`
        ) : undefined
      }
    >
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <DecimalInput
            name="amount"
            value={amount}
            onValueChange={setAmount}
            className="figures h-16 pr-24 text-2xl font-semibold"
          />
          <span className="pointer-events-none absolute inset-y-0 right-4 flex items-center font-semibold text-soft">
            {now}
          </span>
        </div>
        <Button
          variant="secondary"
          aria-label={t`Swap: type ${other} instead`}
          onClick={swap}
          className="size-16! px-0!"
        >
          <ArrowUpDown className="size-5" />
        </Button>
      </div>
      <WhichDecimal value={amount} onChoose={setAmount} />
    </Field>
  )
}
