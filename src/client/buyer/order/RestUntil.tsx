import { Trans } from '@lingui/react/macro'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { restOf } from '../../../shared/to-send.ts'
import { serverNow } from '../../ui/clock.ts'
import { DateTime } from '../../ui/numbers.tsx'

export function RestUntil({ order }: { order: BuyerOrder }) {
  const kept = <Trans>The bought tokens are yours, whether the rest comes or not.</Trans>
  switch (restOf(order, serverNow())?.state) {
    case 'missing':
      return (
        <>
          <Trans>
            Send the rest to the same address until <DateTime value={order.expiresAt} />: it has your price
            and your rate.
          </Trans>{' '}
          {kept}
        </>
      )
    case 'way':
      return <Trans>The rest is on its way. It buys as soon as its network has confirmed it.</Trans>
    case 'dust':
      return (
        <>
          <Trans>The rest is too little to be sent on this network.</Trans> {kept}
        </>
      )
    default:
      return <Trans>The time for the rest is over. The bought tokens are yours.</Trans>
  }
}
