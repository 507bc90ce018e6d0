import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { callOfUri } from '../../shared/wallet-links.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { Notice } from '../ui/states.tsx'
import { keepSent } from './sent.ts'

const SendCall = lazy(() => import('../area/SendCall.tsx').then((part) => ({ default: part.SendCall })))

/**
 * The offer appears once. A payment to a fixed address is stored once sent; SentPayment.tsx submits it,
 * because no chain watcher sees it.
 */
export function PayByWallet({ order: { token, watched, walletUri } }: { order: BuyerOrder }) {
  const [step, setStep] = useState<'offered' | 'chosen' | 'paid'>('offered')
  const payment = callOfUri(walletUri)
  if (!payment) return null
  if (step === 'paid')
    return (
      <div className="mt-3">
        <Notice>
          <Trans>The payment is in a block. This page changes once the site has seen it.</Trans>
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
            {...(watched ? {} : { onSent: (id: string) => keepSent(token, id) })}
            onMined={() => setStep('paid')}
          />
        </Suspense>
      )}
    </div>
  )
}
