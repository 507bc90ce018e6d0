import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { callOfUri } from '../../../shared/wallet-links.ts'
import { call } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { keepOrder } from '../queries.ts'
import { touched } from '../touched.ts'

// What speaks with wallets is fetched by who pays in this browser.
const SendCall = lazy(() => import('../../area/SendCall.tsx').then((part) => ({ default: part.SendCall })))

/** Pays with a wallet of this browser, on networks whose wallets live there. Once it has paid, it is not offered again. */
export function PayByWallet({ order }: { order: BuyerOrder }) {
  const [step, setStep] = useState<'offered' | 'chosen' | 'paid'>('offered')
  const name = useNaming(order)
  const payment = callOfUri(order.walletUri)
  if (!payment) return null
  if (step === 'paid')
    return (
      <div className="mt-3">
        <Notice>
          {order.watched ? (
            <Trans>The payment is in a block. This page changes once the site has seen it.</Trans>
          ) : (
            <Trans>
              The payment is in a block. Enter its transaction id below: an operator looks for it.
            </Trans>
          )}
        </Notice>
      </div>
    )
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      {step === 'offered' ? (
        <Button variant="secondary" size="sm" onClick={() => setStep('chosen')}>
          <Trans>Pay with a wallet of this browser</Trans>
        </Button>
      ) : (
        <Suspense fallback={<Skeleton className="h-12" />}>
          <SendCall
            call={payment}
            {...(order.watched ? {} : { onSent: (hash: string) => name.mutate(hash) })}
            onMined={() => setStep('paid')}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Names the payment to a fixed address as soon as the wallet has sent it, because nobody sees it by itself. */
function useNaming({ token }: BuyerOrder) {
  const { t } = useLingui()
  return useChange({
    run: (transactionId: string) =>
      call(orderRoutes.setTransactionId, { params: { token }, body: { transactionId } }),
    touches: touched.orders,
    done: (named) => {
      keepOrder(named)
      toast.success(t`Transaction id saved`)
    },
  })
}
