import { orderRoutes } from '../../shared/api/orders.ts'
import { call } from '../area/call.ts'
import { useChange } from '../area/use-change.ts'
import { keepOrder } from './queries.ts'
import { touched } from './touched.ts'

export function useNoteSent(token: string) {
  return useChange({
    run: () => call(orderRoutes.noteSent, { params: { token } }),
    untilAnswered: true,
    touches: touched.orders,
    done: keepOrder,
  })
}
