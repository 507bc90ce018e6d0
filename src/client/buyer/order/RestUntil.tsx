import { Trans } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { isRestDust } from '../../../shared/to-send.ts'
import { DateTime } from '../../ui/numbers.tsx'

/** Until when the rest of an amount may follow, where it can, and what becomes of what is there. */
export function RestUntil({ order }: { order: BuyerOrder }) {
  const date = <DateTime value={order.expiresAt} />
  return (
    <>
      {isRestDust(order) ? (
        <Trans>The rest is too little to be sent on this network: the order waits until {date}.</Trans>
      ) : (
        <Trans>Send the rest to the same address until {date}: it has your rate.</Trans>
      )}{' '}
      <Trans>
        After that, what has arrived buys tokens in proportion if it reaches the smallest order; if it does
        not, it is owed back to you.
      </Trans>
    </>
  )
}
