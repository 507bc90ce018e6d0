import { Trans } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/Spinner.tsx'
import type { Purchase } from './PaymentRuleList.tsx'
import { Unfold } from './Unfold.tsx'

const PaymentRuleList = lazy(() =>
  import('./PaymentRuleList.tsx').then((part) => ({ default: part.PaymentRuleList })),
)

export function PaymentRules({ purchase }: { purchase: Purchase }) {
  return (
    <Unfold title={<Trans>Too little, too much, too late: what happens then</Trans>}>
      <Suspense fallback={<Skeleton className="h-40" />}>
        <PaymentRuleList purchase={purchase} />
      </Suspense>
    </Unfold>
  )
}
