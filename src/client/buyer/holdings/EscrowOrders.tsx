import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { deliveryEscrowRoutes, type EscrowOrder } from '../../../shared/api/delivery-escrows.ts'
import { isAllClaimed } from '../../../shared/escrow-tokens.ts'
import { networkName } from '../../../shared/networks.ts'
import { scheduleFrom } from '../../../shared/unlocking.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { CallElsewhere } from '../../ui/CallElsewhere.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign } from '../queries.ts'
import { Next, ScheduleBar } from './Claims.tsx'

const SendCall = lazy(() => import('../../area/SendCall.tsx').then((part) => ({ default: part.SendCall })))

const LOOK_MS = 30_000

/** Renders nothing without any order. */
export function EscrowOrders() {
  const orders = useQuery({ ...readItems(deliveryEscrowRoutes.own), refetchInterval: LOOK_MS })
  if (!orders.data || orders.data.length === 0) return null
  return (
    <Band
      id="escrows"
      title={<Trans>Your orders in escrow</Trans>}
      lead={
        <Trans>
          A contract holds the money until all tokens of the round lie there, and otherwise gives it back.
          Anyone may send you your tokens, also unasked; nobody will ever ask for some back, or for a phrase.
        </Trans>
      }
    >
      <div className="flex flex-col gap-10">
        {orders.data.map((order) => (
          <Order key={order.orderId} order={order} look={() => void orders.refetch()} />
        ))}
      </div>
    </Band>
  )
}

function Order({ order, look }: { order: EscrowOrder; look: () => void }) {
  const symbol = useCampaign().data?.settings.symbol
  const { chain } = order
  const isDelivered = chain?.order === 'paid' && chain.deliveredAt !== null
  return (
    <section className="flex flex-col gap-5">
      <h3 className="text-lg font-semibold">
        <LocalText text={order.stage} />
      </h3>
      {isDelivered ? <ScheduleBar tokens={order.tokens} chain={chain} /> : null}
      <Facts>
        <Fact label={<Trans>Tokens</Trans>}>
          <TokenAmount value={order.tokens} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Paid</Trans>}>
          <TokenAmount value={order.paid} unit={order.currency} />
        </Fact>
        {isDelivered && chain.deliveredAt ? (
          <Fact label={<Trans>Next</Trans>}>
            <Next schedule={scheduleFrom(chain.deliveredAt, order)} now={chain.minedAt} />
          </Fact>
        ) : null}
        <Fact label={<Trans>Tokens go to</Trans>}>
          <span className="figures wrap-anywhere">{order.beneficiary}</span>
        </Fact>
        <Fact label={isDelivered ? <Trans>Paid by</Trans> : <Trans>Money would go back to</Trans>}>
          <span className="figures wrap-anywhere">{order.payer}</span>
        </Fact>
        <Fact label={<Trans>Contract on {networkName(order.network)}</Trans>}>
          <span className="figures wrap-anywhere">{order.escrow}</span>
        </Fact>
      </Facts>
      <Notice>
        <Where order={order} />
      </Notice>
      <Acting order={order} look={look} />
    </section>
  )
}

/** The order's state in the newest block. */
function Where({ order }: { order: EscrowOrder }) {
  const { chain, deliverBy } = order
  const by = <DateTime value={deliverBy} />
  if (!chain)
    return (
      <Trans>
        The site’s node does not answer just now, so nothing can be shown of the chain. Your tokens lie in the
        contract all the same.
      </Trans>
    )
  const settling =
    chain.order === chain.orderInFinal ? null : (
      <Trans>Block {chain.height} says so. It is not final yet: that takes some minutes.</Trans>
    )
  if (chain.order === 'none')
    return <Trans>The newest block does not hold this payment: the chain may have changed.</Trans>
  return (
    <>
      <Sentence order={chain.order} round={chain.round} isClaimed={isAllClaimed(order)} by={by} /> {settling}
    </>
  )
}

type Chain = NonNullable<EscrowOrder['chain']>

function Sentence({
  order,
  round,
  isClaimed,
  by,
}: Pick<Chain, 'order' | 'round'> & { isClaimed: boolean; by: ReactNode }) {
  if (order === 'refunded') return <Trans>The money of this order was given back.</Trans>
  if (order === 'cancelled')
    return <Trans>The seller cancelled this order. Its money is owed back to the account that paid.</Trans>
  if (round === 'delivered' && isClaimed)
    return <Trans>Delivered and claimed: the contract sent all of these tokens to their address.</Trans>
  if (round === 'delivered')
    return <Trans>Delivered: what you have not claimed yet lies in the contract for you.</Trans>
  if (round === 'refunding')
    return (
      <Trans>
        The round was not delivered by {by}, or was cancelled. The money is owed back to the account that
        paid.
      </Trans>
    )
  return (
    <Trans>
      The money lies in the contract until all tokens of the round lie there. If that has not happened by {by}
      , anybody can send it back to the account that paid.
    </Trans>
  )
}

function Acting({ order, look }: { order: EscrowOrder; look: () => void }) {
  const [isSending, setIsSending] = useState(false)
  const symbol = useCampaign().data?.settings.symbol
  const { call, chain, chainId } = order
  if (!call || !chain) return null
  return (
    <div className="flex flex-col items-start gap-4">
      {isSending ? (
        <Suspense fallback={<Skeleton className="h-12" />}>
          <SendCall
            call={{ chainId, to: call.to, data: call.data }}
            onMined={() => {
              setIsSending(false)
              look()
            }}
          />
        </Suspense>
      ) : (
        <Button onClick={() => setIsSending(true)}>
          {call.what === 'claim' ? (
            <Trans>
              Claim <TokenAmount value={chain.due} unit={symbol} />
            </Trans>
          ) : (
            <Trans>
              Send <TokenAmount value={order.paid} unit={order.currency} /> back
            </Trans>
          )}
        </Button>
      )}
      <CallElsewhere
        picture={QrCode}
        call={{ chainId, to: call.to, data: call.data }}
        title={<Trans>With another wallet</Trans>}
      >
        {call.what === 'claim' ? (
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to the
            address above alone.
          </Trans>
        ) : (
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The money goes to
            the account that paid, and to no other; the page “Claim tokens” sends it elsewhere by that
            account’s wallet.
          </Trans>
        )}
      </CallElsewhere>
    </div>
  )
}
