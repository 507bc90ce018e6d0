import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { saveFile } from '../area/save-file.ts'
import { Button } from '../ui/Button.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { Notice } from '../ui/states.tsx'
import { Origin, type Provable } from './AddressOrigin.tsx'
import { checkOrigin } from './address-proof.ts'

export function AddressCheck({ order, said: { file, vkey } }: { order: BuyerOrder; said: Provable }) {
  const checked = useQuery({
    queryKey: ['checked origin', order.address, file, vkey],
    queryFn: () => checkOrigin(order.address, file, vkey),
    retry: false,
  })
  if (checked.isPending) return <Skeleton className="h-24 sm:h-20" />
  if (checked.error)
    return (
      <Notice tone="danger">
        <Trans>This page could not check where the address comes from: {checked.error.message}</Trans>
      </Notice>
    )
  const { wallet, announcedAt } = checked.data
  const at = <DateTime value={announcedAt} />
  return (
    <Origin isNew={wallet !== null} announcedAt={announcedAt}>
      <p className="measure text-soft">
        {wallet ? (
          <Trans>
            Checked by this browser: it is address {wallet.index} of the wallet {wallet.number}, which the
            public journal announced on {at}.
          </Trans>
        ) : (
          <Trans>
            Checked by this browser: all orders in this currency are paid here, as the public journal says
            since {at}. The journal can’t say whose address it is.
          </Trans>
        )}{' '}
        <Trans>The journal’s key came from this site, too. If you know it from elsewhere, compare it:</Trans>{' '}
        <code className="break-all">{vkey}</code>
      </p>
      <Button
        variant="ghost"
        size="sm"
        onClick={() => saveFile(`order-${order.number}.address.json`, 'application/json', file)}
      >
        <Trans>Download the proof</Trans>
      </Button>
    </Origin>
  )
}
