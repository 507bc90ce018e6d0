import { useLingui } from '@lingui/react/macro'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { SendCall } from '../../area/SendCall.tsx'
import { useChange } from '../../area/use-change.ts'
import type { WalletCall } from '../../browser-wallet.ts'
import { toast } from '../../ui/Toast.tsx'
import { keepOrder } from '../queries.ts'
import { touched } from '../touched.ts'

/**
 * Sends the payment by a wallet of this browser. One to a fixed address is named as soon as the wallet has sent it, because nobody sees it
 * by itself.
 */
export function SendPayment({
  order: { token, watched },
  payment,
  onMined,
}: {
  order: BuyerOrder
  payment: WalletCall
  onMined: () => void
}) {
  const { t } = useLingui()
  const name = useChange({
    run: (transactionId: string) =>
      call(orderRoutes.setTransactionId, { params: { token }, body: { transactionId } }),
    touches: touched.orders,
    // The payment is under way, and nobody sees it by itself.
    untilAnswered: true,
    done: (named) => {
      keepOrder(named)
      toast.success(t`Transaction id saved`)
    },
  })
  return (
    <SendCall
      call={payment}
      {...(watched ? {} : { onSent: (hash: string) => name.mutate(hash) })}
      onMined={onMined}
    />
  )
}
