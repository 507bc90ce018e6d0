import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { CoinWords, CurrencyPicker } from './CurrencyPicker.tsx'

export function CoinButton({
  campaign,
  currencies,
  currency,
  onChoose,
}: {
  campaign: PublicCampaign
  currencies: readonly PublicCurrency[]
  currency: PublicCurrency
  onChoose: (code: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="mt-2 lg:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex w-full min-w-0 items-center gap-3 rounded-md border border-line-strong bg-raised px-3 py-1.5 text-left"
      >
        <CoinIcon code={currency.code} early />
        <span className="sr-only">
          <Trans>Pay with</Trans>
        </span>
        <CoinWords currency={currency} campaign={campaign} />
        <ChevronDown aria-hidden="true" className="size-5 shrink-0" />
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={<Trans>Pay with</Trans>}>
        <CurrencyPicker
          campaign={campaign}
          currencies={currencies}
          chosen={currency.code}
          onChoose={(code) => {
            onChoose(code)
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}
