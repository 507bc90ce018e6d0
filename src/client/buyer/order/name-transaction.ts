import { useLingui } from '@lingui/react/macro'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { toast } from '../../ui/Toast.tsx'
import { keepOrder } from '../queries.ts'
import { forgetSent } from '../sent.ts'
import { touched } from '../touched.ts'

/** Updates the order and forgets the stored id. */
export function useNameTransaction(token: string) {
  const { t } = useLingui()
  return {
    send: (transactionId: string) =>
      call(orderRoutes.setTransactionId, { params: { token }, body: { transactionId } }),
    touches: touched.orders,
    done: (changed: BuyerOrder) => {
      keepOrder(changed)
      forgetSent(token)
      toast.success(t`Transaction id saved`)
    },
  }
}
