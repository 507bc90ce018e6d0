import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { quoteRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { queryClient } from '../../area/query-client.ts'
import { read } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { refusalCode } from '../../errors.ts'
import { setServerTime } from '../../ui/clock.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { QuoteQuestion } from '../queries.ts'
import { PayStep } from './PayStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'

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
  const [payer, setPayer] = useState('')
  const quote = useBoundQuote(question, currency.inEscrow ? payer : undefined)
  const [step, setStep] = useState<1 | 2>(quote.id ? 2 : 1)
  const startAgain = () => {
    quote.forget()
    setStep(1)
  }
  const { bound, bind, isLost } = quote
  if (step === 2 && !isLost)
    return bound ? (
      <PayStep
        campaign={campaign}
        quote={bound}
        onBack={() => setStep(1)}
        onExpired={startAgain}
        onClose={onClose}
      />
    ) : (
      <Waiting onClose={onClose} />
    )
  return (
    <ReviewStep
      settings={campaign.settings}
      currency={currency}
      question={question}
      busy={bind.isPending}
      error={quote.error ?? bind.error}
      bound={bound}
      payer={payer}
      onPayer={(next) => {
        setPayer(next)
        // Another payer asks for another quote.
        quote.renew()
      }}
      onOtherPayer={startAgain}
      onContinue={() => {
        if (isLost) startAgain()
        else if (bound) setStep(2)
        else bind.mutate(undefined, { onSuccess: () => setStep(2) })
      }}
      onClose={onClose}
    />
  )
}

/** The quote that the page's address names, or that `bind` reserves. */
function useBoundQuote(question: QuoteQuestion, payer: string | undefined) {
  const [search, setSearch] = useSearchParams()
  const id = search.get('quote')
  const kept = useQuery({
    ...quoteQuery(id ?? ''),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
  })
  const name = (next: string | null) => {
    if (next) search.set('quote', next)
    else search.delete('quote')
    setSearch(search, { replace: true, preventScrollReset: true })
  }
  // The key lasts as long as the dialog is open, so that a repeated Continue answers the same quote.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const bind = useChange({
    run: () => call(quoteRoutes.bind, { body: { ...question, payer }, idempotencyKey: key }),
    untilAnswered: true,
    touches: [],
    failed: false,
    done: (quote) => {
      setServerTime(quote.serverTime)
      queryClient.setQueryData(quoteQuery(quote.id).queryKey, quote)
      name(quote.id)
    },
    // The server remembers a refusal under its key: asking again needs another. Without an answer the key stays.
    onFail: (error) => refusalCode(error) && setKey(crypto.randomUUID()),
  })
  return {
    id,
    bound: kept.data,
    /** The address names a quote that can't be read. */
    isLost: kept.isError && !kept.data,
    error: kept.data ? null : kept.error,
    bind,
    renew: () => setKey(crypto.randomUUID()),
    /** Makes the next `bind` reserve another quote. */
    forget: () => {
      name(null)
      setKey(crypto.randomUUID())
    },
  }
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
