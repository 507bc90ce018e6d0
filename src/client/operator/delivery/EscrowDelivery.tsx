import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type DeliveryEscrow, deliveryEscrowRoutes } from '../../../shared/api/delivery-escrows.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { useSymbol } from '../queries.ts'

const SignEach = lazy(() => import('../../area/SignEach.tsx').then((part) => ({ default: part.SignEach })))

const LOOK_MS = 30_000

export function EscrowDelivery() {
  const escrows = useQuery({ ...readItems(deliveryEscrowRoutes.list), refetchInterval: LOOK_MS })
  const closed = escrows.data?.filter(({ look }) => look?.state === 'closed') ?? []
  if (closed.length === 0) return null
  return (
    <Band
      title={<Trans>Escrows to be delivered</Trans>}
      lead={
        <Trans>
          Closed. The seller can deliver at once, and anybody after the review where all tokens lie there. If
          it is not delivered in time, everybody gets the money back.
        </Trans>
      }
    >
      <div className="flex flex-col gap-8">
        {closed.map((escrow) => (
          <Closed key={`${escrow.chainId} ${escrow.address}`} escrow={escrow} />
        ))}
      </div>
    </Band>
  )
}

function Closed({ escrow }: { escrow: DeliveryEscrow }) {
  const { stage, address, deliverBy, anyoneFrom, look } = escrow
  const symbol = useSymbol()
  if (!look) return null
  return (
    <section className="flex flex-col gap-4">
      <h3 className="text-lg font-semibold">
        <LocalText text={stage} />
      </h3>
      <Facts>
        <Fact label={<Trans>Owed on chain, by the ledger</Trans>}>
          <TokenAmount value={look.owed} unit={symbol} /> ·{' '}
          <TokenAmount value={look.promised} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Tokens there</Trans>}>
          <TokenAmount value={look.held} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Anybody can deliver from</Trans>}>
          <DateTime value={anyoneFrom} />
        </Fact>
        <Fact label={<Trans>Delivered at the latest</Trans>}>
          <DateTime value={deliverBy} />
        </Fact>
        <Fact label={<Trans>Contract</Trans>}>
          <span className="figures wrap-anywhere">{address}</span>
        </Fact>
      </Facts>
      {look.fault ? (
        <Notice tone="danger">
          <Trans>
            The contract does not show what the ledger says. Cancel what strangers are owed before you
            deliver.
          </Trans>
        </Notice>
      ) : null}
      {look.failingSince ? (
        <Notice tone="danger">
          {look.failure === 'nodes_disagree' ? (
            <Trans>
              Two nodes say different things of this contract since <DateTime value={look.failingSince} />.
              The shown state is older.
            </Trans>
          ) : (
            <Trans>
              No look has succeeded since <DateTime value={look.failingSince} />. The shown state is older.
            </Trans>
          )}
        </Notice>
      ) : null}
      <Signing escrow={escrow} />
    </section>
  )
}

function Signing({ escrow: { chainId, sellerDelivers } }: { escrow: DeliveryEscrow }) {
  const [signs, setSigns] = useState(false)
  if (sellerDelivers.length === 0) return null
  if (!signs)
    return (
      <div>
        <Button onClick={() => setSigns(true)}>
          <Trans>Deliver with the seller’s wallet…</Trans>
        </Button>
      </div>
    )
  return (
    <Suspense fallback={<Skeleton className="h-12" />}>
      <SignEach
        calls={sellerDelivers}
        chainId={chainId}
        nameOf={(what) =>
          what === 'approve' ? (
            <Trans>Let the escrow take the tokens that are lacking</Trans>
          ) : (
            <Trans>Deliver the round</Trans>
          )
        }
        whenDone={
          <p role="status" className="text-soft">
            <Trans>Delivered. The next look at a final block shows it.</Trans>
          </p>
        }
      />
    </Suspense>
  )
}
