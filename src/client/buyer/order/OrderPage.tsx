import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Download } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { type BuyerOrder, receiptPath } from '../../../shared/api/orders.ts'
import { localPath } from '../../../shared/languages.ts'
import { compare, trimZeros } from '../../../shared/money.ts'
import { canOrder } from '../../../shared/order-states.ts'
import { isAlive, isForRest, toSendOf } from '../../../shared/to-send.ts'
import { apiUrl } from '../../api.ts'
import { pollMs, usePolling } from '../../area/live-stream.ts'
import { Band, Figure, Figures } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { isOnServer } from '../../document-facts.ts'
import { refusalCode } from '../../errors.ts'
import { Ito, type Pose } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { serverNow } from '../../ui/clock.ts'
import { DemoWarning } from '../../ui/DemoRibbon.tsx'
import { Money, TokenAmount } from '../../ui/numbers.tsx'
import { PageSpinner } from '../../ui/Spinner.tsx'
import { EmptyState, ErrorState, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { AddressCard } from '../AddressCard.tsx'
import { useNoteSent } from '../note-sent.ts'
import { OrderStateBadge } from '../OrderStateBadge.tsx'
import { EscrowBand } from '../purchase-parts.ts'
import { orderQuery, refundsQuery, untilOrdersChange, useCampaign, useRefunds } from '../queries.ts'
import { AskAboutOrder } from '../Seller.tsx'
import { sentQuery } from '../sent.ts'
import { Unfold } from '../Unfold.tsx'
import { YouGet } from '../YouGet.tsx'
import { RateQuotes } from './RateQuotes.tsx'
import { isTakenBack, StateNote } from './StateNote.tsx'
import { Timeline } from './Timeline.tsx'
import { TransactionId } from './TransactionId.tsx'

// Each part has its own script, because an order needs only some of them.
const parts = {
  pay: () => import('../PayNow.tsx').then(({ PayNow: part }) => ({ default: part })),
  refunds: () => import('./Refunds.tsx').then(({ Refunds: part }) => ({ default: part })),
  sent: () => import('./SentPayment.tsx').then(({ SentPayment: part }) => ({ default: part })),
  takeBack: () => import('./TakeBack.tsx').then(({ TakeBack: part }) => ({ default: part })),
  payments: () => import('./Payments.tsx').then(({ Payments: part }) => ({ default: part })),
  proof: () => import('./JournalProof.tsx').then(({ JournalProof: part }) => ({ default: part })),
}
const PayNow = lazy(parts.pay)
const Refunds = lazy(parts.refunds)
const SentPayment = lazy(parts.sent)
const TakeBack = lazy(parts.takeBack)
const Payments = lazy(parts.payments)
const JournalProof = lazy(parts.proof)

/** Marks loading content without taking space. */
const partToCome = <span hidden aria-busy="true" />

export function OrderPage() {
  const [search] = useSearchParams()
  const token = search.get('order')
  if (!token)
    return (
      <EmptyState
        level="h1"
        picture={<Ito pose="search" decorative />}
        title={<Trans>Order number is missing in the URL</Trans>}
        action={<BackLink />}
      />
    )
  return <OrderByToken key={token} token={token} />
}

function BackLink() {
  return (
    <Link to={paths.dashboard} className={buttonLook({ variant: 'secondary' })}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      <Trans>Back to Dashboard</Trans>
    </Link>
  )
}

function OrderByToken({ token }: { token: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const polling = usePolling()
  const order = useQuery({
    ...orderQuery(token),
    // After a failure the page keeps polling, even if the stream is up.
    refetchInterval: ({ state: { status, data } }) =>
      status === 'error' ? pollMs : untilOrdersChange(data && [data], polling),
    retry: false,
  })
  const code = refusalCode(order.error)
  const isUnknown = code === 'order_unknown' || code === 'not_found'
  useEffect(() => {
    if (!isUnknown) return
    toast.error(t`Transaction doesn't exist`)
    void navigate(paths.buy, { replace: true })
  }, [isUnknown, navigate, t])

  const isWhole = usePartsFetched(token, order.data)
  if (order.data && isWhole) return <OrderView order={order.data} isStale={order.isError} />
  if (order.isError && !isUnknown)
    return (
      <ErrorState
        title={<Trans>Failed to fetch order data</Trans>}
        onRetry={() => void order.refetch()}
        retrying={order.isFetching}
      >
        <Trans>Trying again every few seconds.</Trans>
      </ErrorState>
    )
  return <PageSpinner />
}

/** True once the parts that an order needs are loaded, so that the page does not jump. */
function usePartsFetched(token: string, order: BuyerOrder | undefined): boolean {
  const client = useQueryClient()
  const needed = order ? neededBy(order) : []
  const fetched = useQuery({
    queryKey: ['parts of an order', token],
    queryFn: () => Promise.all(needed.map((fetchPart) => fetchPart(client))),
    enabled: order !== undefined,
    // With no part to load the result is there at once and stays. The server draws all parts but refunds and
    // the proof, which this browser checks.
    initialData: order && (needed.length === 0 || (isOnServer && !mayBeOwed(order))) ? [] : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return !fetched.isPending
}

/** True if the journal's entry is final. While the rest may arrive, the order can be approved again. */
const isSettled = ({ status, detail }: BuyerOrder) => status === 'approved' && detail !== 'underpaid'

function neededBy(order: BuyerOrder): ((client: QueryClient) => Promise<unknown>)[] {
  return [
    toSendOf(order, serverNow()) ? parts.pay : null,
    order.payments.length > 0 ? parts.payments : null,
    takeableUntil(order) ? parts.takeBack : null,
    isSettled(order)
      ? async (client: QueryClient) =>
          client.prefetchQuery((await import('./JournalProof.tsx')).proofQuery(order))
      : null,
    mayBeOwed(order) ? (client: QueryClient) => fetchOwed(order, client) : null,
    order.status === 'approved'
      ? (client: QueryClient) => client.prefetchQuery(read(deliveryRoutes.address))
      : null,
  ].filter((part) => part !== null)
}

async function fetchOwed(order: BuyerOrder, client: QueryClient): Promise<void> {
  const query = refundsQuery(order.token)
  const part = isRefundExpected(order) ? parts.refunds() : undefined
  const known = await client.fetchQuery(query).catch(() => undefined)
  await (part ?? (known?.items.length === 0 ? undefined : parts.refunds()))
}

/** Until when the buyer may take the order back; null without that right, or once it is over. */
const takeableUntil = ({ moneyBackUntil: until }: BuyerOrder) =>
  until && Date.parse(until) > serverNow() ? until : null

/** True if something may be owed back, because a chain or operators reported a payment. */
const mayBeOwed = ({ watched, payments, detail, escrow }: BuyerOrder) =>
  !escrow && ((watched && payments.length > 0) || ['reversed', 'refund_due', 'refunded'].includes(detail))

const isRefundExpected = ({ status, detail, withdrawnByOperator, watched }: BuyerOrder) =>
  canOrder('claim_refund', { status, detail, hidden: withdrawnByOperator, watched })

function OrderView({ order, isStale }: { order: BuyerOrder; isStale: boolean }) {
  const { demo: isDemo = false, settings } = useCampaign().data ?? {}
  const symbol = settings?.symbol ?? ''
  const asked = toSendOf(order, serverNow())
  const sent = useQuery(sentQuery(order.token)).data
  // Two tabs may have paid: show the payment that the order does not name, too.
  const isSent =
    sent && sent.toLowerCase() !== order.transactionId?.toLowerCase() && order.status !== 'approved'
  const toSend = isSent ? null : asked
  const isLooking = isLookedFor(order)
  const payNow = toSend ? (
    <Suspense fallback={partToCome}>
      <PayNow order={order} toSend={toSend} isDemo={isDemo} />
    </Suspense>
  ) : null
  return (
    <>
      <StatusHead order={order} toSend={toSend} symbol={symbol} />
      {payNow && !isLooking ? <div className="mt-6 border-y border-line py-5">{payNow}</div> : null}
      {toSend && !order.sentAt && !order.escrow ? <HaveSentIt token={order.token} /> : null}
      {isSent ? (
        <Suspense fallback={partToCome}>
          <SentPayment order={order} id={sent} />
        </Suspense>
      ) : null}
      {isSent && asked ? null : <StateNote order={order} />}
      {payNow && isLooking ? (
        <div className="mt-4">
          <Unfold title={<Trans>Not sent yet? Show address and amount</Trans>}>{payNow}</Unfold>
        </div>
      ) : null}
      {isStale ? (
        <div className="mt-6">
          <Notice tone="danger">
            <Trans>Failed to fetch order data</Trans>. <Trans>Trying again every few seconds.</Trans>
          </Notice>
        </div>
      ) : null}
      {toSend && order.watched ? null : (
        <div className="mt-6">
          <TransactionId order={order} />
        </div>
      )}
      <OrderAgain order={order} />
      <AskAboutOrder number={order.number} />
      <Suspense fallback={partToCome}>{mayBeOwed(order) ? <OwedBack order={order} /> : null}</Suspense>
      <div className="mt-8">
        <OrderFigures order={order} symbol={symbol} />
        <Suspense fallback={partToCome}>
          {order.escrow ? <EscrowBand order={order} escrow={order.escrow} /> : null}
        </Suspense>
        {toSend || order.escrow ? null : <WhereItWasPaid address={order.address} isDemo={isDemo} />}
      </div>
      <Suspense fallback={partToCome}>
        {takeableUntil(order) ? <TakeBack order={order} /> : null}
        {order.payments.length > 0 ? <Payments order={order} /> : null}
      </Suspense>
      <Band title={<Trans>What has happened</Trans>}>
        <Timeline order={order} />
      </Band>
      <Suspense fallback={partToCome}>{isSettled(order) ? <JournalProof order={order} /> : null}</Suspense>
      <RateQuotes order={order} symbol={symbol} />
      {order.acceptedTexts ? <AcceptedTexts texts={order.acceptedTexts} /> : null}
      <div className="flex flex-wrap gap-3 border-t border-line pt-6">
        <BackLink />
        {order.status === 'approved' ? <ReceiptLink token={order.token} /> : null}
      </div>
    </>
  )
}

/** Link to the same purchase after an order that failed unpaid. */
function OrderAgain({
  order: { detail, currency, askedTokens, transactionId, withdrawnByOperator },
}: {
  order: BuyerOrder
}) {
  // Not compiled: smaller than its memo code.
  'use no memo'
  const isOver = detail === 'rejected_by_operator' || (detail === 'expired' && !transactionId)
  if (!isOver || withdrawnByOperator) return null
  const same = new URLSearchParams({ currency, amount: trimZeros(askedTokens) })
  return (
    <Link to={`${paths.buy}?${same}`} className={buttonLook({ variant: 'secondary', className: 'mt-4' })}>
      <Trans>Try again</Trans>
    </Link>
  )
}

function WhereItWasPaid({ address, isDemo }: { address: string; isDemo: boolean }) {
  return (
    <>
      <AddressCard address={address} label={<Trans>Address</Trans>} />
      {isDemo && address ? (
        <div className="pb-6">
          <DemoWarning />
        </div>
      ) : null}
    </>
  )
}

/**
 * True if the buyer reported the payment as sent but none was seen. The page then does not ask to pay again.
 */
const isLookedFor = (order: BuyerOrder) =>
  order.sentAt !== null && order.detail === 'awaiting_payment' && !isForRest(order)

function HaveSentIt({ token }: { token: string }) {
  const sent = useNoteSent(token)
  return (
    <Button className="mt-4" loading={sent.isPending} onClick={() => sent.mutate()}>
      <Trans>I have sent it</Trans>
    </Button>
  )
}

function OwedBack({ order }: { order: BuyerOrder }) {
  const refunds = useRefunds(order.token)
  const isShown = refunds.data ? refunds.data.length > 0 : isRefundExpected(order) || refunds.isError
  return isShown ? <Refunds order={order} refunds={refunds} /> : null
}

const poses: Record<BuyerOrder['status'], Pose> = { pending: 'wait', approved: 'cheer', rejected: 'shrug' }

/**
 * The headline: the buyer's next step, or how the order ended. Undefined while the buyer only waits, and for
 * an order that bought exactly the ordered tokens.
 */
function useHeadline({ order, toSend, symbol }: Head): ReactNode {
  const { t } = useLingui()
  const { status, detail, withdrawnByOperator, currency } = order
  if (withdrawnByOperator && status === 'pending') return t`Withdrawn by the operator`
  if (detail === 'underpaid') return <PartBought order={order} symbol={symbol} />
  if (status === 'approved' || withdrawnByOperator) return undefined
  if (status === 'rejected' && order.escrow && detail === 'rejected_by_operator')
    return order.payments.some(isAlive) ? t`Rejected, while the escrow holds what you paid` : undefined
  const sum = toSend ? (
    <TokenAmount value={toSend} unit={currency} decimalsMax={18} className={inHeadline} />
  ) : null
  switch (detail) {
    case 'awaiting_payment':
      // A buyer who submitted the transaction has nothing left to do.
      if (!sum) return undefined
      if (isLookedFor(order))
        return order.watched ? t`Looking for your payment` : t`Next: enter the transaction id`
      // Money sent to an escrow without its call is lost.
      return order.escrow ? <Trans>Pay {sum} with your wallet</Trans> : <Trans>Send {sum}</Trans>
    case 'expired':
      return order.transactionId ? undefined : t`The time to pay is over`
    case 'reversed':
      return isTakenBack(order) ? undefined : t`The approval was taken back`
    case 'refund_due':
      return order.escrow ? t`The escrow holds your money for you` : t`Money is owed back to you`
    case 'refunded':
      return order.escrow ? t`The escrow owes you the money, or has sent it` : t`Your money was sent back`
    default:
      return undefined
  }
}

interface Head {
  order: BuyerOrder
  toSend: string | null
  symbol: string
}

const inHeadline = 'whitespace-normal! [font:inherit]! tracking-[inherit]! wrap-anywhere'

function PartBought({ order, symbol }: Omit<Head, 'toSend'>) {
  const bought = <TokenAmount value={order.baseTokens} className={inHeadline} />
  const asked = <TokenAmount value={order.askedTokens} unit={symbol} className={inHeadline} />
  return (
    <Trans>
      {bought} of {asked} bought
    </Trans>
  )
}

function StatusHead(head: Head) {
  // Not compiled: rendered once per order.
  'use no memo'
  const { t } = useLingui()
  const headline = useHeadline(head)
  const { order } = head
  const { number: n, status, detail } = order
  // The order is over, even if its status is `pending`.
  const isOver = status === 'pending' && !becomesTokens(order)
  const { title, message } = {
    pending: { title: t`Processing Transaction`, message: t`Order #${n} is being processed. Please wait.` },
    approved: { title: t`Transaction approved`, message: t`Order #${n} has been successfully completed!` },
    rejected: {
      title: isTakenBack(order) ? t`Order taken back` : t`Transaction rejected`,
      message: t`Unfortunately, your transaction #${n} could not be processed and has been rejected. Please check your payment details and try again.`,
    },
  }[status]
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
      <Ito
        decorative
        pose={isOver ? 'shrug' : detail === 'underpaid' ? 'wait' : poses[status]}
        mood={status === 'rejected' ? 'worried' : undefined}
        className={headline ? 'hidden h-36 w-auto sm:block' : 'h-36 w-auto'}
      />
      <div className="min-w-0 flex-1 basis-72" aria-live="polite">
        <OrderStateBadge order={order} />
        <h1 className="display mt-2 text-title">{headline ?? title}</h1>
        <p className="measure mt-2 text-soft">
          {isOver || (headline && status === 'pending' && !isLookedFor(order)) ? (
            // Before the payment there is nothing to process.
            <Trans>Order #{n}</Trans>
          ) : headline ? (
            <Trans>
              {title}, order #{n}
            </Trans>
          ) : (
            message
          )}
        </p>
      </div>
    </div>
  )
}

/** True if the ordered tokens were bought or still may be, at the order's rate. */
const becomesTokens = ({ status, detail, transactionId, withdrawnByOperator }: BuyerOrder) =>
  status !== 'rejected' &&
  !withdrawnByOperator &&
  !/^refund|late/.test(detail) &&
  (detail !== 'expired' || transactionId)

function OrderFigures({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  'use no memo'
  const isAsOrdered = compare(order.baseTokens, order.askedTokens) >= 0
  const ordered = <TokenAmount value={order.askedTokens} />
  return (
    <>
      {becomesTokens(order) ? (
        <p className="mb-3 text-lg">
          <YouGet gets={order} symbol={symbol} />
        </p>
      ) : null}
      <Figures most={4}>
        <Figure label={<Trans>Amount</Trans>} note={<Money value={order.usd} />}>
          <TokenAmount value={order.cryptoAmount} unit={order.currency} decimalsMax={18} />
        </Figure>
        <Figure
          label={becomesTokens(order) ? <Trans>Receive</Trans> : <Trans>Ordered</Trans>}
          note={isAsOrdered ? undefined : <Trans>of {ordered} that you ordered</Trans>}
        >
          <TokenAmount value={order.baseTokens} unit={symbol} />
        </Figure>
        <Figure label={<Trans>Bonus Tokens</Trans>}>
          <TokenAmount value={order.bonusTokens} unit={symbol} />
        </Figure>
        <Figure label={<Trans>Total</Trans>}>
          <TokenAmount value={order.receiveTokens} unit={symbol} />
        </Figure>
      </Figures>
    </>
  )
}

function AcceptedTexts({ texts: { terms, risks } }: { texts: NonNullable<BuyerOrder['acceptedTexts']> }) {
  'use no memo'
  const { i18n } = useLingui()
  const linkTo = (path: string, version: number) => `${localPath(i18n.locale, path)}?version=${version}`
  return (
    <Band title={<Trans>What you accepted</Trans>}>
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm [&_a]:underline [&_a]:underline-offset-4">
        <a href={linkTo(paths.terms, terms)}>
          <Trans>Terms, version {terms}</Trans>
        </a>
        <a href={linkTo(paths.risks, risks)}>
          <Trans>Risk notice, version {risks}</Trans>
        </a>
      </p>
    </Band>
  )
}

/** A PDF by the server, in the page's language. */
function ReceiptLink({ token }: { token: string }) {
  'use no memo'
  const { i18n } = useLingui()
  const href = apiUrl({ path: receiptPath }, { params: { token }, query: { language: i18n.locale } })
  return (
    <a href={href} download className={buttonLook({ variant: 'secondary' })}>
      <Download aria-hidden="true" className="size-4" />
      <Trans>Download receipt</Trans>
    </a>
  )
}
