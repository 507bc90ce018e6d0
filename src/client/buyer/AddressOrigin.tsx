import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import { pollMs } from '../area/live-stream.ts'
import { saveFile } from '../area/save-file.ts'
import { Button } from '../ui/Button.tsx'
import { DateTime } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { type AddressOrigin as Origin, readOrigin } from './address-proof.ts'

/** Where the address comes from that is to be paid: checked by this browser against what the journal announced, for whoever asks. */
export function AddressOrigin({ order }: { order: BuyerOrder }) {
  const origin = useQuery({
    queryKey: ['origin of an address', order.token, order.address],
    queryFn: () => readOrigin(order),
    // The journal follows a new wallet by some seconds.
    refetchInterval: ({ state }) => (state.data?.state === 'unsaid' ? 10 * pollMs : false),
    retry: false,
  })
  if (origin.isPending || origin.data?.state === 'escrow') return null
  if (origin.error)
    return (
      <Notice tone="danger">
        <Trans>This page could not check where the address comes from: {origin.error.message}</Trans>
      </Notice>
    )
  if (origin.data.state === 'checked') return <Checked origin={origin.data} number={order.number} />
  if (origin.data.state === 'other')
    return (
      <Notice tone="danger">
        <Trans>
          This is not the address that the public journal announced for this order. Pay nothing to it, and
          tell the seller.
        </Trans>
      </Notice>
    )
  return (
    <p className="text-sm text-soft">
      <Trans>The public journal has not said this address yet.</Trans>
    </p>
  )
}

function Checked({
  origin: { wallet, announcedAt, isNew, file },
  number,
}: {
  origin: Extract<Origin, { state: 'checked' }>
  number: number
}) {
  const at = <DateTime value={announcedAt} />
  const said = wallet ? (
    <Trans>
      Checked by this browser: it is address {wallet.index} of the wallet {wallet.number}, which the public
      journal announced on {at}.
    </Trans>
  ) : (
    <Trans>
      Checked by this browser: all orders in this currency are paid here, as the public journal says since{' '}
      {at}. Whose it is, the journal can’t say.
    </Trans>
  )
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      {isNew ? (
        <Notice>
          <Trans>New: this wallet was announced less than 24 hours ago.</Trans> {said}
        </Notice>
      ) : (
        <p className="measure text-soft">{said}</p>
      )}
      <Button
        variant="ghost"
        size="sm"
        onClick={() => saveFile(`order-${number}.address.json`, 'application/json', file)}
      >
        <Trans>Download the proof</Trans>
      </Button>
    </div>
  )
}
