import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { callOfUri } from '../../../shared/wallet-links.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'

// What speaks with wallets is fetched by who pays in this browser.
const SendPayment = lazy(() => import('./SendPayment.tsx').then((part) => ({ default: part.SendPayment })))

/** Pays with a wallet of this browser, on networks whose wallets live there. Once it has paid, it is not offered again. */
export function PayByWallet({ order }: { order: BuyerOrder }) {
  const [step, setStep] = useState<'offered' | 'chosen' | 'paid'>('offered')
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
          <SendPayment order={order} payment={payment} onMined={() => setStep('paid')} />
        </Suspense>
      )}
    </div>
  )
}
