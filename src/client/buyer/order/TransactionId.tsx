import { Trans } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { Band } from '../../area/Page.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'

// Loaded apart: an order on a watched chain has no such form.
const TransactionIdForm = lazy(() =>
  import('./TransactionIdForm.tsx').then((part) => ({ default: part.TransactionIdForm })),
)

export function TransactionId({ order }: { order: BuyerOrder }) {
  const isEditable = order.actions.includes('enter_transaction_id')
  if (!isEditable && !order.transactionId) return null
  return (
    <Band title={<Trans>Transaction id</Trans>}>
      <SameTransaction numbers={order.sameTransaction} />
      {isEditable ? (
        <Suspense fallback={<Skeleton className="h-11" />}>
          <TransactionIdForm order={order} />
        </Suspense>
      ) : (
        <p className="figures text-sm break-all">{order.transactionId}</p>
      )}
    </Band>
  )
}

/** Shown if one transaction was submitted for several orders; it pays for one. */
function SameTransaction({ numbers }: { numbers: readonly number[] }) {
  if (numbers.length === 0) return null
  const others = numbers.map((number) => `#${number}`).join(', ')
  return (
    <Notice tone="danger">
      <Trans>
        You named the same transaction for {others}. It pays for one order: correct the id where it is wrong.
      </Trans>
    </Notice>
  )
}
