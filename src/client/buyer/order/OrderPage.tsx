import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Check, Copy, Download } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { canOrder } from '../../../shared/order-states.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { pollMs, usePolling } from '../../area/live-stream.ts'
import { Band, Figure, Figures } from '../../area/Page.tsx'
import { refusalCode } from '../../errors.ts'
import { Ito, type Pose } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { useCopy } from '../../ui/CopyButton.tsx'
import { DemoWarning } from '../../ui/DemoRibbon.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import { PageSpinner } from '../../ui/Spinner.tsx'
import { EmptyState, ErrorState, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { OrderStateBadge } from '../OrderStateBadge.tsx'
import { keepOrder, orderQuery, useCampaign, useRefunds } from '../queries.ts'
import { touched } from '../touched.ts'
import { PayNow, TopUp } from './PayNow.tsx'
import { RateQuotes } from './RateQuotes.tsx'
import { StateNote } from './StateNote.tsx'
import { Timeline } from './Timeline.tsx'
import { TransactionId } from './TransactionId.tsx'

// These parts have scripts of their own because few orders ever need them.
const DeclareForm = lazy(() => import('./DeclareForm.tsx').then((part) => ({ default: part.DeclareForm })))
const LateChoice = lazy(() => import('./LateChoice.tsx').then((part) => ({ default: part.LateChoice })))
const Refunds = lazy(() => import('./Refunds.tsx').then((part) => ({ default: part.Refunds })))
const Payments = lazy(() => import('./Payments.tsx').then((part) => ({ default: part.Payments })))

/** One order, which follows its state live. */
export function OrderPage() {
  useTitle()
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
    // After a failure the page keeps asking, whether or not the stream is up.
    refetchInterval: (query) => (query.state.status === 'error' ? pollMs : polling),
    retry: false,
  })
  const code = refusalCode(order.error)
  const isUnknown = code === 'order_unknown' || code === 'not_found'
  useEffect(() => {
    if (!isUnknown) return
    toast.error(t`Transaction doesn't exist`)
    void navigate(paths.buy, { replace: true })
  }, [isUnknown, navigate, t])

  if (order.data) return <OrderView order={order.data} isStale={order.isError} />
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

/** Whether something may be owed back: what a chain showed, or what stood behind an approval that was taken back. */
const mayBeOwed = ({ watched, payments, detail }: BuyerOrder) =>
  (watched && payments.length > 0) || detail === 'reversed' || detail === 'refunded'

function OrderView({ order, isStale }: { order: BuyerOrder; isStale: boolean }) {
  const campaign = useCampaign().data
  const symbol = campaign?.settings.symbol ?? ''
  const isUnpaid =
    order.status === 'pending' && order.detail === 'awaiting_payment' && !order.withdrawnByOperator
  return (
    <>
      <StatusHead order={order} />
      <StateNote order={order} />
      {isStale ? (
        <div className="mt-6">
          <Notice tone="danger">
            <Trans>Failed to fetch order data</Trans>. <Trans>Trying again every few seconds.</Trans>
          </Notice>
        </div>
      ) : null}
      <div className="mt-8">
        <OrderFigures order={order} symbol={symbol} />
        <AddressCard address={order.address} isDemo={campaign?.demo ?? false} />
      </div>
      <Suspense>
        {order.declareUntil && campaign ? <DeclareForm order={order} campaign={campaign} /> : null}
        {order.actions.includes('choose_late') ? <LateChoice order={order} symbol={symbol} /> : null}
        {mayBeOwed(order) ? <OwedBack order={order} /> : null}
      </Suspense>
      {isUnpaid ? <PayNow order={order} /> : null}
      {order.detail === 'underpaid' && !order.withdrawnByOperator ? <TopUp order={order} /> : null}
      <TransactionId order={order} />
      <Suspense>{order.payments.length > 0 ? <Payments payments={order.payments} /> : null}</Suspense>
      <Band title={<Trans>What has happened</Trans>}>
        <Timeline order={order} />
      </Band>
      <RateQuotes order={order} symbol={symbol} />
      <div className="flex flex-wrap gap-3 border-t border-line pt-6">
        <BackLink />
        {order.status === 'approved' && campaign ? <ReceiptButton order={order} campaign={campaign} /> : null}
        {order.actions.includes('cancel') ? <CancelOrder order={order} /> : null}
      </div>
    </>
  )
}

/** The refunds of an order, once there are any or should be. */
function OwedBack({ order }: { order: BuyerOrder }) {
  const refunds = useRefunds(order.token)
  const isExpected = canOrder('claim_refund', {
    status: order.status,
    detail: order.detail,
    hidden: order.withdrawnByOperator,
    watched: order.watched,
  })
  const isShown = refunds.data ? refunds.data.length > 0 : isExpected || refunds.isError
  return isShown ? <Refunds order={order} refunds={refunds} /> : null
}

const poses: Record<BuyerOrder['status'], Pose> = { pending: 'wait', approved: 'cheer', rejected: 'shrug' }

/** States of a pending order in which waiting does not help. The message that asks to wait is left out. */
const needsBuyer = new Set<BuyerOrder['detail']>(['expired', 'underpaid', 'late', 'refund_due', 'refunded'])

/** The status as a sentence, with Ito beside it. */
function StatusHead({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const { number: n, status } = order
  const { title, message } = {
    pending: { title: t`Processing Transaction`, message: t`Order #${n} is being processed. Please wait.` },
    approved: { title: t`Transaction approved`, message: t`Order #${n} has been successfully completed!` },
    rejected: {
      title: t`Transaction rejected`,
      message: t`Unfortunately, your transaction #${n} could not be processed and has been rejected. Please check your payment details and try again.`,
    },
  }[status]
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
      <Ito
        decorative
        pose={poses[status]}
        mood={status === 'rejected' ? 'worried' : undefined}
        className="h-36 w-auto"
      />
      <div className="min-w-0 flex-1 basis-72" aria-live="polite">
        <OrderStateBadge order={order} />
        <h1 className="display mt-2 text-title">{title}</h1>
        {status === 'pending' && needsBuyer.has(order.detail) ? null : (
          <p className="measure mt-2 text-soft">{message}</p>
        )}
      </div>
    </div>
  )
}

function OrderFigures({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  return (
    <Figures most={4}>
      <Figure label={<Trans>Amount</Trans>}>
        <TokenAmount value={order.cryptoAmount} unit={order.currency} decimalsMax={18} />
      </Figure>
      <Figure label={<Trans>Receive</Trans>}>
        <TokenAmount value={order.baseTokens} unit={symbol} />
      </Figure>
      <Figure label={<Trans>Bonus Tokens</Trans>}>
        <TokenAmount value={order.bonusTokens} unit={symbol} />
      </Figure>
      <Figure label={<Trans>Total</Trans>}>
        <TokenAmount value={order.receiveTokens} unit={symbol} />
      </Figure>
    </Figures>
  )
}

function ReceiptButton({ order, campaign }: { order: BuyerOrder; campaign: PublicCampaign }) {
  const save = async () => (await import('./receipt.ts')).saveReceipt(order, campaign)
  return (
    <Button variant="secondary" onClick={() => void save()}>
      <Download aria-hidden="true" className="size-4" />
      <Trans>Download receipt</Trans>
    </Button>
  )
}

/** Where to send the payment; a click anywhere on the card copies the address. */
function AddressCard({ address, isDemo }: { address: string; isDemo: boolean }) {
  const [copied, copy] = useCopy(address)
  if (!address)
    return (
      <p className="py-4">
        <Trans>Address not specified</Trans>
      </p>
    )
  return (
    <div className="py-3">
      <button type="button" onClick={copy} className="group w-full min-w-0 rounded-md text-left">
        <span className="text-sm text-faint">
          <Trans>Address</Trans>
        </span>
        <span className="mt-1 flex items-center gap-3">
          <span className="figures min-w-0 break-all group-hover:underline">{address}</span>
          {copied ? (
            <Check aria-hidden="true" className="size-4 shrink-0 text-success" />
          ) : (
            <Copy aria-hidden="true" className="size-4 shrink-0 text-soft" />
          )}
        </span>
        <span role="status" className="sr-only">
          {copied ? <Trans>Copied</Trans> : null}
        </span>
      </button>
      {isDemo ? (
        <div className="mt-2">
          <DemoWarning />
        </div>
      ) : null}
    </div>
  )
}

function CancelOrder({ order }: { order: BuyerOrder }) {
  const [isAsking, setAsking] = useState(false)
  const n = order.number
  return (
    <>
      <Button variant="ghost" className="text-danger!" onClick={() => setAsking(true)}>
        <Trans>Cancel the order</Trans>
      </Button>
      {isAsking ? (
        <ConfirmChange
          title={<Trans>Cancel order #{n}?</Trans>}
          confirm={<Trans>Cancel the order</Trans>}
          cancel={<Trans>Keep it</Trans>}
          danger
          run={() => call(orderRoutes.cancel, { params: { token: order.token } })}
          touches={touched.orders}
          done={keepOrder}
          onClose={() => setAsking(false)}
        >
          <Trans>Do this only if you have not sent anything. What it holds goes back to the sale.</Trans>
        </ConfirmChange>
      ) : null}
    </>
  )
}
