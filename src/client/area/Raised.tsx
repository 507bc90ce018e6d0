import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { Money } from '../ui/numbers.tsx'
import { Figure } from './Page.tsx'

interface Raised {
  raisedUsd: string
  raisedOnChainUsd: string
  raisedByOperatorUsd: string
}

/** With `ordersBy` each sum links to its orders. */
export function Raised({
  raised: { raisedUsd, raisedOnChainUsd, raisedByOperatorUsd },
  ordersBy,
}: {
  raised: Raised
  ordersBy?: (way?: 'chain' | 'operator') => string
}) {
  return (
    <Figure
      label={<Trans>Raised</Trans>}
      note={
        <Trans>
          <Dollars value={raisedOnChainUsd} orders={ordersBy?.('chain')} /> confirmed on chain,{' '}
          <Dollars value={raisedByOperatorUsd} orders={ordersBy?.('operator')} /> approved by an operator
        </Trans>
      }
    >
      <Dollars value={raisedUsd} orders={ordersBy?.()} />
    </Figure>
  )
}

function Dollars({ value, orders }: { value: string; orders: string | undefined }) {
  if (!orders) return <Money value={value} />
  return (
    <Link className="underline-offset-4 hover:underline" to={orders}>
      <Money value={value} />
    </Link>
  )
}
