import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../ui/Spinner.tsx'
import type { Purchase } from './PaymentRuleList.tsx'

// Fetched by who opens it.
const PaymentRuleList = lazy(() =>
  import('./PaymentRuleList.tsx').then((part) => ({ default: part.PaymentRuleList })),
)

/** Says, before anything is sent, what happens with too little, too much and too late. */
export function PaymentRules({ purchase }: { purchase: Purchase }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-2 py-1 text-sm font-semibold hover:text-accent-text [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 -rotate-90 transition-transform group-open:rotate-0"
        />
        <Trans>Too little, too much, too late: what happens then</Trans>
      </summary>
      <div className="pt-2 pb-1">
        {isOpen ? (
          <Suspense fallback={<Skeleton className="h-40" />}>
            <PaymentRuleList purchase={purchase} />
          </Suspense>
        ) : null}
      </div>
    </details>
  )
}
