import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { networkName } from '../../../shared/networks.ts'
import { read } from '../../area/reading.ts'
import { paths } from '../../paths.ts'

const toHub = (text: ReactNode) => (
  <Link to={`${paths.tokenHub}#delivery`} className="text-ink underline underline-offset-4">
    {text}
  </Link>
)

/** What follows once an order's tokens are bought: they are delivered to a wallet, which the buyer has to name. */
export function AfterPurchase() {
  const own = useQuery(read(deliveryRoutes.address)).data
  if (!own) return <Trans>The receipt is below.</Trans>
  const { chain, current, waiting } = own
  if (!chain)
    return (
      <Trans>
        The seller has not chosen yet on which network the tokens are delivered. Once that is known, name the
        wallet that they go to. The receipt is below.
      </Trans>
    )
  const network = networkName(chain.network)
  const named = waiting ?? current
  if (!named)
    return (
      <Trans>
        Next: {toHub(<Trans>name your wallet on {network}</Trans>)}. The tokens are delivered to it, and
        without one they wait. The receipt is below.
      </Trans>
    )
  const address = <span className="figures wrap-anywhere">{named.address}</span>
  return (
    <Trans>
      Your wallet is named: {address}. {toHub(<Trans>See how far the delivery is</Trans>)}. The receipt is
      below.
    </Trans>
  )
}
