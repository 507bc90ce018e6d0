import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type AddressProof, type BuyerOrder, orderRoutes } from '../../shared/api/orders.ts'
import { call } from '../area/call.ts'
import { pollMs } from '../area/live-stream.ts'
import { Button } from '../ui/Button.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { Notice } from '../ui/states.tsx'

const AddressCheck = lazy(() => import('./AddressCheck.tsx').then((part) => ({ default: part.AddressCheck })))
const NEW_MS = 24 * 3600 * 1000

/** A proof with its file, which a browser can check. */
export type Provable = AddressProof & { announcedAt: string; file: string; vkey: string }

const isProvable = ({ announcedAt, file, vkey }: AddressProof): boolean =>
  announcedAt !== null && file !== null && vkey !== null

/** Shows the site's statement and, on request, this browser's own check. */
export function AddressOrigin({ order }: { order: BuyerOrder }) {
  const said = useQuery({
    queryKey: ['origin of an address', order.token, order.address],
    queryFn: () => call(orderRoutes.addressProof, { params: { token: order.token } }),
    // The journal records a new wallet some seconds later.
    refetchInterval: ({ state }) => (state.data?.state === 'unsaid' ? 10 * pollMs : false),
  })
  // Keeps the page from jumping.
  if (said.isPending) return <Skeleton className="h-24 sm:h-20" />
  // A missing answer does not block the payment; the next poll asks again.
  if (!said.data || said.data.state === 'escrow') return null
  if (said.data.state === 'other')
    return (
      <Notice tone="danger">
        <Trans>
          This is not the address that the public journal announced for this order. Pay nothing to it, and
          tell the seller.
        </Trans>
      </Notice>
    )
  if (!isProvable(said.data))
    return (
      <p className="text-sm text-soft">
        <Trans>The public journal has not said this address yet.</Trans>
      </p>
    )
  return <Said order={order} said={said.data as Provable} />
}

function Said({ order, said }: { order: BuyerOrder; said: Provable }) {
  const [asked, setAsked] = useState(false)
  if (asked)
    return (
      <Suspense fallback={<Skeleton className="h-24 sm:h-20" />}>
        <AddressCheck order={order} said={said} />
      </Suspense>
    )
  const at = <DateTime value={said.announcedAt} />
  return (
    <Origin isNew={said.state === 'announced'} announcedAt={said.announcedAt}>
      <p className="measure text-soft">
        {said.state === 'announced' ? (
          <Trans>The public journal announced the wallet of this address on {at}.</Trans>
        ) : (
          <Trans>The public journal says since {at} that all orders in this currency are paid here.</Trans>
        )}
      </p>
      <Button variant="secondary" size="sm" onClick={() => setAsked(true)}>
        <Trans>Check it in this browser</Trans>
      </Button>
    </Origin>
  )
}

/**
 * Marks a wallet announced less than a day ago, because a swapped wallet is noticed within a day. Uses this
 * device's clock: a dishonest server could set its own.
 */
export function Origin({
  isNew,
  announcedAt,
  children,
}: {
  isNew: boolean
  announcedAt: string
  children: ReactNode
}) {
  const [now] = useState(Date.now)
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      {isNew && now - Date.parse(announcedAt) < NEW_MS ? (
        <Notice>
          <Trans>New: this wallet was announced less than 24 hours ago.</Trans>
        </Notice>
      ) : null}
      {children}
    </div>
  )
}
