import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { framedOrderRoutes } from '../../../shared/api/framed-orders.ts'
import { orderRoutes, type PurchaseAmounts } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { queryClient } from '../../area/query-client.ts'
import { readAgain } from '../../area/reading.ts'
import { type FormRules, useForm } from '../../area/use-form.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { asksCountry } from '../asks-country.ts'
import { orderQuery, type PurchaseQuestion, usePreview } from '../queries.ts'
import { touched } from '../touched.ts'
import { frameOf } from './frame-of.ts'
import { PayStep } from './PayStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'

/** Refresh interval of the shown price, so that `Continue` rarely fails with `price_changed`. */
const refreshMs = 15_000

interface DialogProps {
  campaign: PublicCampaign
  currency: PublicCurrency
  question: PurchaseQuestion
  onClose: () => void
}

/**
 * Step 1 shows the purchase and asks for the declarations; `Continue` makes the order. Step 2 says what to
 * send where. The order is in the page's address, so that a reload or a login returns to step 2.
 */
export function PurchaseDialog({ campaign, currency, question, onClose }: DialogProps) {
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const token = search.get('order')
  const isOpen = useIsMounted()
  const name = (next: string | null) => {
    if (next) search.set('order', next)
    else search.delete('order')
    setSearch(search, { replace: true, preventScrollReset: true })
  }
  const purchase = usePurchase({ campaign, question }, async (made) => {
    await queryClient.prefetchQuery(orderQuery(made))
    // If the dialog was closed meanwhile, the order is listed on the dashboard.
    if (!isOpen()) return
    if (currency.inEscrow) await navigate(paths.order(made))
    else name(made)
  })
  if (token)
    return (
      <PayStep
        token={token}
        isDemo={campaign.demo}
        onBack={() => name(null)}
        onRenew={() => {
          purchase.renew()
          name(null)
        }}
        onClose={onClose}
      />
    )
  return <ReviewStep campaign={campaign} currency={currency} purchase={purchase} onClose={onClose} />
}

function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () => isMounted.current
}

type LegalVersions = PublicCampaign['legalVersions']

interface Declared {
  country: string | null
  /** Versions when the box was ticked, because the buyer read those. */
  accepted: LegalVersions | null
  isTold: boolean
}

type Agreed = Declared & { accepted: LegalVersions; shown: PurchaseAmounts; payer: string }

export type Purchase = ReturnType<typeof usePurchase>

function usePurchase(
  { campaign, question }: Pick<DialogProps, 'campaign' | 'question'>,
  made: (token: string) => Promise<void>,
) {
  const { t } = useLingui()
  const [search] = useSearchParams()
  const frame = frameOf(search)
  const [payer, setPayer] = useState('')
  const preview = usePreview(question, refreshMs)
  const { keyFor, renew } = useKeys()
  const [sent, setSent] = useState<PurchaseAmounts>()
  const form = useForm({
    initial: { country: null, accepted: null, isTold: false } as Declared,
    rules: useAgreement(asksCountry(campaign), preview.data, payer),
    send: async ({ country, accepted, isTold, shown, payer: payerThen }: Agreed) => {
      setSent(shown)
      const body = {
        ...question,
        ...(payerThen ? { payer: payerThen } : {}),
        shown: { rate: shown.rate, priceUsd: shown.priceUsd },
        acceptTerms: true,
        termsVersion: accepted.terms,
        risksVersion: accepted.risks,
        ...(country ? { country } : {}),
        ...(campaign.settings.buyers.minimumAge > 0 ? { ageConfirmed: true } : {}),
      }
      const order = call(orderRoutes.create, { body, idempotencyKey: keyFor(body) })
      const { token } = await order.catch((error: unknown) => {
        // The server remembers a failure under its key, so a retry needs a new key. Keep the key if no answer
        // arrived, or if the order was made but its embedding site could not be told.
        if (refusalCode(error)) renew()
        throw error
      })
      if (frame)
        await call(framedOrderRoutes.tell, { params: { token }, body: { keyHash: isTold ? frame : null } })
      return token
    },
    untilAnswered: true,
    touches: touched.orders,
    done: made,
    words: (error) => {
      const message = errorText(error)
      return refusalCode(error)
        ? t`Transaction error: ${message}`
        : t`An error occurred while creating the transaction`
    },
    onFail: (error) => {
      const code = refusalCode(error)
      if (code === 'price_changed') void preview.refetch()
      if (code !== 'terms_changed') return
      form.set({ accepted: null })
      readAgain(queryClient, touched.campaign)
    },
  })
  return {
    form,
    frame,
    preview,
    payer,
    setPayer,
    renew,
    /** The terms accepted before the price changed. */
    before: form.refusal === 'price_changed' ? sent : undefined,
  }
}

function useAgreement(
  isAsked: boolean,
  shown: PurchaseAmounts | undefined,
  payer: string,
): FormRules<Agreed> {
  const { t } = useLingui()
  return {
    now: (values) => {
      const { country, accepted, isTold } = values as Declared
      if (isAsked && !country) return { errors: [{ path: 'country', message: t`Choose your country.` }] }
      if (!accepted)
        return { errors: [{ path: 'accepted', message: t`Please accept the terms and the risk notice.` }] }
      return shown ? { data: { country, accepted, isTold, shown, payer } } : { errors: [] }
    },
  }
}

/**
 * One idempotency key per purchase: a repeat or a return from step 2 gets the same order, a changed purchase
 * a new one.
 */
function useKeys() {
  const last = useRef({ text: '', key: '' })
  return {
    keyFor: (body: object) => {
      const text = JSON.stringify(body)
      if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() }
      return last.current.key
    },
    renew: () => {
      last.current = { text: '', key: '' }
    },
  }
}
