import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { DeliveryEscrow, EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import { isAllClaimed, tokensStillOwed } from '../../shared/escrow-tokens.ts'
import { localPath } from '../../shared/languages.ts'
import { networkName } from '../../shared/networks.ts'
import { type ClaimLookup, type RefundTo } from '../../shared/public-pages.ts'
import { scheduleFrom } from '../../shared/unlocking.ts'
import { Elsewhere, Fact, ScheduleWords, Settling, Unlocked, Wallets } from './claim-parts.tsx'
import { amount, moment } from './figures.ts'
import { OperatorText, Sourced, useCampaign, usePage } from './frame.tsx'

export function EscrowOrders({ lookup }: { lookup: ClaimLookup }) {
  return lookup.orders.map((order) => (
    <Order
      key={`${order.escrow} ${order.orderId}`}
      order={order}
      refundTo={lookup.refundTo?.orderId === order.orderId ? lookup.refundTo : null}
      address={lookup.address ?? ''}
    />
  ))
}

interface OrderParts {
  order: EscrowOrder
  refundTo: RefundTo | null
  address: string
}

function Order({ order, refundTo, address }: OrderParts) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const { chain, call } = order
  const schedule = chain?.deliveredAt ? scheduleFrom(chain.deliveredAt, order) : null
  const isDelivered = chain?.order === 'paid' && schedule !== null
  const name = <OperatorText text={order.stage} />
  return (
    <section className="border-b py-8">
      <h2 className="display text-4xl">
        <Trans>Escrow of {name}</Trans>
      </h2>
      {isDelivered && chain ? <Unlocked tokens={order.tokens} chain={chain} /> : null}
      <dl className="mt-5 grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Tokens of the order</Trans>}>
          <span className="figures">
            {amount(order.tokens, locale)} {symbol}
          </span>
        </Fact>
        <Fact label={<Trans>Paid</Trans>}>
          <span className="figures">
            {amount(order.paid, locale)} {order.currency}
          </span>
        </Fact>
        {isDelivered && schedule ? (
          <Fact label={<Trans>Schedule</Trans>}>
            <ScheduleWords schedule={schedule} now={chain?.minedAt} />
          </Fact>
        ) : null}
        <Fact label={<Trans>Tokens go to</Trans>}>
          <span className="figures wrap-anywhere">{order.beneficiary}</span>
        </Fact>
        <Fact
          label={
            isDelivered ? (
              <Trans>Money was paid by</Trans>
            ) : (
              <Trans>Money was paid by, and goes back to</Trans>
            )
          }
        >
          <span className="figures wrap-anywhere">{order.payer}</span>
        </Fact>
        <Fact label={<Trans>Contract on {networkName(order.network)}</Trans>}>
          <span className="figures wrap-anywhere">{order.escrow}</span>
        </Fact>
        <Fact label={<Trans>Number of the order there</Trans>}>
          <span className="figures text-sm wrap-anywhere">{order.orderId}</span>
        </Fact>
      </dl>
      <p className="mt-5 border-s-4 border-line-strong bg-sunk px-4 py-3" role="status">
        <OrderWords order={order} />
      </p>
      {isDelivered && chain ? <Settling chain={chain} /> : null}
      {call?.what === 'claim' && chain ? <ClaimOffer order={order} call={call} due={chain.due} /> : null}
      {call?.what === 'refund' ? (
        <RefundOffer order={order} call={call} refundTo={refundTo} address={address} />
      ) : null}
    </section>
  )
}

function OrderWords({ order }: Pick<OrderParts, 'order'>) {
  const { locale } = usePage()
  const { chain, deliverBy } = order
  const by = moment(deliverBy, locale)
  if (!chain)
    return (
      <Trans>
        The site’s node does not answer just now, so nothing can be shown of the chain. The owed tokens lie in
        the contract all the same.
      </Trans>
    )
  const isSettling = chain.order !== chain.orderInFinal
  const settling = isSettling ? (
    <>
      {' '}
      <Trans>Block {chain.height} says so. It is not final yet: that takes some minutes.</Trans>
    </>
  ) : null
  if (chain.order === 'none')
    return <Trans>The newest block does not hold this payment: the chain may have changed. Look again.</Trans>
  if (chain.order === 'refunded')
    return (
      <>
        <Trans>The money of this order was given back.</Trans>
        {settling}
      </>
    )
  if (chain.order === 'cancelled')
    return (
      <>
        <Trans>
          The seller cancelled this order. Its money is owed back; anybody can send it to who paid.
        </Trans>
        {settling}
      </>
    )
  if (chain.round === 'delivered')
    return (
      <>
        {isAllClaimed(order) ? (
          <Trans>Delivered and claimed: the contract sent all of these tokens to their address.</Trans>
        ) : (
          <Trans>Delivered: unclaimed tokens lie in the contract for this address.</Trans>
        )}
        {settling}
      </>
    )
  if (chain.round === 'refunding')
    return (
      <Trans>
        The round was not delivered by {by}, or was cancelled. The money is owed back; anybody can send it to
        who paid.
      </Trans>
    )
  return (
    <>
      <Trans>
        The money lies in the contract until all tokens of the round are delivered there. If that has not
        happened by {by}, anybody can send it back to who paid.
      </Trans>
      {settling}
    </>
  )
}

type Call = NonNullable<EscrowOrder['call']>

function ClaimOffer({ order, call, due }: Pick<OrderParts, 'order'> & { call: Call; due: string }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const offered = { chainId: order.chainId, to: call.to, data: call.data }
  return (
    <>
      <Wallets
        className="mt-6"
        call={offered}
        label={
          <Trans>
            Claim {amount(due, locale)} {symbol}
          </Trans>
        }
      />
      <Elsewhere
        call={offered}
        title={<Trans>Claim with another wallet</Trans>}
        lead={
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to the
            address above alone.
          </Trans>
        }
      />
    </>
  )
}

function RefundOffer({ order, call, refundTo, address }: OrderParts & { call: Call }) {
  const { locale } = usePage()
  const offered = { chainId: order.chainId, to: call.to, data: call.data }
  return (
    <>
      <Wallets
        className="mt-6"
        call={offered}
        label={
          <Trans>
            Send {amount(order.paid, locale)} {order.currency} back
          </Trans>
        }
      />
      <Elsewhere
        call={offered}
        title={<Trans>Refund with another wallet</Trans>}
        lead={
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The money goes to
            the account that paid, and to no other.
          </Trans>
        }
      />
      <RefundElsewhere order={order} refundTo={refundTo} address={address} />
    </>
  )
}

/** Only the payer's own wallet can request a refund to another address. */
function RefundElsewhere({ order, refundTo, address }: OrderParts) {
  const { t } = useLingui()
  const { locale } = usePage()
  const { orderId } = order
  return (
    <details className="mt-5" open={refundTo !== null}>
      <summary className="under w-fit text-sm">
        <Trans>To another address</Trans>
      </summary>
      <p className="mt-3 text-sm text-soft">
        <Trans>Only the account that paid can ask for that, with its own wallet.</Trans>
      </p>
      <form action={localPath(locale, '/claim')} method="post" className="mt-3">
        <input type="hidden" name="address" value={address} />
        <input type="hidden" name="order" value={orderId} />
        <label htmlFor={`to-${orderId}`} className="text-sm text-soft">
          <Trans>Address that the money shall go to</Trans>
        </label>
        <div className="mt-1 flex flex-wrap gap-3">
          <input
            id={`to-${orderId}`}
            name="to"
            required
            pattern="\s*0x[0-9a-fA-F]{40}\s*"
            title={t`0x and 40 digits or letters from a to f`}
            defaultValue={refundTo?.to ?? undefined}
            maxLength={50}
            autoComplete="off"
            spellCheck={false}
            className="figures min-h-11 min-w-0 grow basis-72 border border-line-strong bg-raised px-3 text-sm"
          />
          <button type="submit" className="press">
            <Trans>Prepare it</Trans>
          </button>
        </div>
      </form>
      {refundTo && !refundTo.data ? (
        <p role="alert" className="mt-2 text-sm text-danger">
          <Trans>The money can’t go there: this is no address, or is the contract itself.</Trans>
        </p>
      ) : null}
      {refundTo?.data ? (
        <>
          <p className="mt-4">
            <Trans>
              {amount(order.paid, locale)} {order.currency} to{' '}
              <span className="figures wrap-anywhere">{refundTo.to}</span>
            </Trans>
          </p>
          <Wallets
            className="mt-3"
            call={{ chainId: order.chainId, to: order.escrow, data: refundTo.data }}
            onlyFrom={order.payer}
            label={<Trans>Send it there</Trans>}
          />
          <Elsewhere
            call={{ chainId: order.chainId, to: order.escrow, data: refundTo.data }}
            title={<Trans>The transaction for another wallet of the same account</Trans>}
            lead={<Trans>From any other account it does nothing and costs its fee.</Trans>}
          />
        </>
      ) : null}
    </details>
  )
}

/** The delivery is offered if anybody can make it. */
export function EscrowRounds({ escrows }: { escrows: readonly DeliveryEscrow[] }) {
  if (escrows.length === 0) return null
  return (
    <section className="mt-12 border-t-2 border-ink pt-6" id="escrows">
      <h2 className="display text-4xl">
        <Trans>Escrows</Trans>
      </h2>
      <p className="mt-3 text-soft">
        <Trans>
          Each holds the money of its orders until all of their tokens lie there, and otherwise gives it back
          by the clock. Its address is never one to pay to: money that is sent there without an order is lost.
        </Trans>
      </p>
      {escrows.map((escrow) => (
        <EscrowRound key={`${escrow.chainId} ${escrow.address}`} escrow={escrow} />
      ))}
    </section>
  )
}

function EscrowRound({ escrow }: { escrow: DeliveryEscrow }) {
  const { locale } = usePage()
  const { look, deliver } = escrow
  return (
    <article className="mt-6 border-t pt-5">
      <h3 className="text-lg font-semibold">
        <OperatorText text={escrow.stage} />
      </h3>
      <p className="mt-2">
        <EscrowWords escrow={escrow} />
      </p>
      <dl className="mt-4 grid gap-x-10 gap-y-4 sm:grid-cols-2">
        {look ? (
          <Fact label={<Trans>Still owed to its orders</Trans>}>
            <TokensOf side="owed" tokens={tokensStillOwed(look)} />
          </Fact>
        ) : null}
        {look?.orders.map((part) => (
          <Fact key={part.state} label={<OrdersLabel state={part.state} />}>
            <OrdersOf part={part} />
          </Fact>
        ))}
        {look ? (
          <Fact label={<Trans>Tokens that lie there</Trans>}>
            <TokensOf side="there" tokens={look.held} />
          </Fact>
        ) : null}
        <Fact label={<Trans>Contract on {networkName(escrow.network)}</Trans>}>
          <span className="figures wrap-anywhere">{escrow.address}</span>
        </Fact>
        {look ? (
          <Fact label={<Trans>Shown by</Trans>}>
            <Trans>
              final block {look.height} of {moment(look.minedAt, locale)}
            </Trans>
            {look.failingSince ? (
              <strong className="block text-sm text-danger">
                <Trans>No look has succeeded since {moment(look.failingSince, locale)}.</Trans>
              </strong>
            ) : null}
          </Fact>
        ) : null}
      </dl>
      {deliver ? (
        <>
          <Wallets
            className="mt-5"
            call={{ chainId: escrow.chainId, to: deliver.to, data: deliver.data }}
            label={<Trans>Deliver it</Trans>}
          />
          <Elsewhere
            call={{ chainId: escrow.chainId, to: deliver.to, data: deliver.data }}
            title={<Trans>Deliver with another wallet</Trans>}
            lead={
              <Trans>
                Anybody may send this transaction and pays its fee. It takes no tokens from the sender: all of
                them lie there. It does nothing if the contract owes more than the sale knows of.
              </Trans>
            }
          />
        </>
      ) : null}
    </article>
  )
}

type Orders = NonNullable<DeliveryEscrow['look']>['orders'][number]

function OrdersLabel({ state }: Pick<Orders, 'state'>) {
  if (state === 'delivered') return <Trans>Delivered: the money is the seller’s</Trans>
  if (state === 'overdue') return <Trans>Overdue: the money lies there for its payers</Trans>
  if (state === 'returned') return <Trans>Given back: the money is its payers’ again</Trans>
  return <Trans>Escrowed: the money lies there</Trans>
}

function TokensOf({ side, tokens }: { side: 'owed' | 'there'; tokens: string }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  return (
    <span className="figures">
      <Sourced name={`escrow/${side}`} at={`/transparency#reserves.escrow_tokens.${side}`}>
        {amount(tokens, locale)} {symbol}
      </Sourced>
    </span>
  )
}

const ORDERS_OF_ESCROW = '/transparency#escrow.orders'

function OrdersOf({ part: { state, count, tokens, money } }: { part: Orders }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  return (
    <>
      <Sourced name={`escrow/${state}/orders`} at={ORDERS_OF_ESCROW}>
        <Plural value={count} one="# order" other="# orders" />
      </Sourced>
      ,{' '}
      <span className="figures">
        <Sourced name={`escrow/${state}/tokens`} at={ORDERS_OF_ESCROW}>
          {amount(tokens, locale)} {symbol}
        </Sourced>
      </span>
      {money.map((paid) => (
        <span key={paid.currency} className="figures block text-sm">
          <Sourced name={`escrow/${state}/money`} at={ORDERS_OF_ESCROW}>
            {amount(paid.amount, locale)} {paid.currency}
          </Sourced>
        </span>
      ))}
    </>
  )
}

function EscrowWords({ escrow: { look, closesAt, anyoneFrom, deliverBy } }: { escrow: DeliveryEscrow }) {
  const { locale } = usePage()
  const [closes, anyone, by] = [closesAt, anyoneFrom, deliverBy].map((at) => moment(at, locale))
  if (!look) return <Trans>No final block has shown it to this site since it was put in force.</Trans>
  if (look.fault)
    return (
      <strong className="text-danger">
        <Trans>
          The contract does not show the same as the sale’s ledger. The page Transparency has both figures.
        </Trans>
      </strong>
    )
  if (look.state === 'open')
    return (
      <Trans>
        Takes payments until {closes}. Delivered by {by}, or the money goes back.
      </Trans>
    )
  if (look.state === 'closed')
    return look.locked ? (
      <Trans>
        Closed, and all tokens lie there. From {anyone} on anybody can deliver it, until {by}; otherwise the
        money goes back.
      </Trans>
    ) : (
      <Trans>
        Closed, and its tokens are not there yet. The seller has to bring them by {by}; otherwise the money
        goes back.
      </Trans>
    )
  if (look.state === 'delivered' && look.deliveredAt)
    return <Trans>Delivered on {moment(look.deliveredAt, locale)}. Claims never expire.</Trans>
  return <Trans>Not delivered in time, or cancelled: its orders get their money back.</Trans>
}
