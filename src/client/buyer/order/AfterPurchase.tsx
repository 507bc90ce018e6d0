import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { read } from '../../area/reading.ts'
import { paths } from '../../paths.ts'

/** Asks to name a delivery address. */
export function AfterPurchase() {
  // Not compiled: small and rarely drawn.
  'use no memo'
  const own = useQuery(read(deliveryRoutes.address)).data
  const named = own?.waiting ?? own?.current
  return (
    <>
      {own?.chain ? (
        <Link to={`${paths.tokenHub}#delivery`} className="underline">
          {named ? (
            <Trans>The tokens go to {named.address}.</Trans>
          ) : (
            <Trans>Next: name the wallet that the tokens are delivered to.</Trans>
          )}
        </Link>
      ) : null}{' '}
      <Trans>The receipt is below.</Trans>
    </>
  )
}
