import { Trans } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { Band } from '../../area/Page.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'

// The form has a script of its own because an order on a watched chain has no such form.
const TransactionIdForm = lazy(() =>
  import('./TransactionIdForm.tsx').then((part) => ({ default: part.TransactionIdForm })),
)

/** Asks for the transaction id of a payment to a fixed address, or shows the id that the buyer gave. */
export function TransactionId({ order }: { order: BuyerOrder }) {
  const isEditable = order.actions.includes('enter_transaction_id')
  if (!isEditable && !order.transactionId) return null
  return (
    <Band title={<Trans>Transaction id</Trans>}>
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
