import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type OperatorOrderPage, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { PaymentState } from '../../../shared/payment-states.ts'
import { MissingPage } from '../../area/BrokenPage.tsx'
import { useCountryName } from '../../area/countries.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Fact, Facts, Figure, Figures, Page } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime, Money, Percent, TokenAmount } from '../../ui/numbers.tsx'
import { Badge } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'
import { LedgerTable } from '../LedgerTable.tsx'
import { Notes } from '../Notes.tsx'
import { OrderDetailBadge, OrderStatusBadge } from '../order-status.tsx'
import { paths } from '../paths.ts'
import { usePaymentStateName } from '../payment-names.ts'
import { usePublicCampaign, useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { CancelInEscrow } from './CancelInEscrow.tsx'
import { type Asked, DecideOrder, type Decision, useDecisionRefusal, useUnhide } from './DecideOrder.tsx'
import { Timeline } from './Timeline.tsx'

export function OrderPage() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const query = useOrder(Number(id))
  const code = refusalCode(query.error)
  if (code === 'order_unknown' || code === 'not_found') return <MissingPage />
  return (
    <Page
      title={t`Order #${id}`}
      tab={t`Order #${id}`}
      action={query.data ? <OrderHead order={query.data} /> : null}
    >
      <OrderParts query={query} />
    </Page>
  )
}

export const useOrder = (id: number) =>
  useQuery({ ...read(operatorOrderRoutes.show, { params: { id } }), refetchInterval: refreshMs })

export function OrderParts({
  query,
  isNarrow = false,
}: {
  query: ReturnType<typeof useOrder>
  isNarrow?: boolean
}) {
  return <Loaded query={query}>{(order) => <Parts order={order} isNarrow={isNarrow} />}</Loaded>
}

export function OrderHead({ order }: { order: OperatorOrderPage }) {
  const refusal = useDecisionRefusal()
  const mayNot = useRefusal()('orders:decide')
  const unhide = useUnhide()
  const [asked, setAsked] = useState<Asked>()
  const button = (decision: Decision, words: ReactNode, variant: 'primary' | 'secondary' | 'danger') => (
    <Button
      variant={variant}
      disabledReason={refusal(decision, order)}
      onClick={() => setAsked({ decision, order })}
    >
      {words}
    </Button>
  )
  return (
    <>
      {button('approve', <Trans>Approve payment</Trans>, 'primary')}
      {button('reject', <Trans>Reject payment</Trans>, 'secondary')}
      {order.hidden ? (
        <Button
          variant="secondary"
          disabledReason={mayNot}
          loading={unhide.isPending}
          onClick={() => unhide.mutate(order.id)}
        >
          <Trans>Put back</Trans>
        </Button>
      ) : (
        button('hide', <Trans>Delete</Trans>, 'danger')
      )}
      {asked ? <DecideOrder asked={asked} onClose={() => setAsked(undefined)} /> : null}
    </>
  )
}

function Parts({ order, isNarrow }: { order: OperatorOrderPage; isNarrow: boolean }) {
  const { t } = useLingui()
  return (
    <>
      {order.hidden ? (
        <div className="mb-4">
          <Notice tone="neutral">
            <Trans>Deleted from the operators' lists. Its buyer sees it as withdrawn by the operator.</Trans>
          </Notice>
        </div>
      ) : null}
      <p className="mb-4 flex flex-wrap items-center gap-2">
        <OrderStatusBadge order={order} />
        <OrderDetailBadge order={order} />
        {order.approvedVia === 'chain' ? <Badge>{t`approved on chain`}</Badge> : null}
      </p>
      <Amounts order={order} />
      {/* The figures end with a hairline, so the next part needs none. */}
      <div
        className={cx(
          'grid gap-x-10 *:first:border-t-0',
          !isNarrow && 'lg:grid-cols-2 lg:*:nth-2:border-t-0',
        )}
      >
        <Band title={t`Timeline`}>
          <Timeline order={order} />
        </Band>
        {order.watched && order.address === '' ? <CancelInEscrow id={order.id} /> : null}
        <Band title={t`Details`}>
          <Details order={order} />
        </Band>
      </div>
      <Payments order={order} />
      <Notes userId={order.userId} orderId={order.id} isDeleted={order.email === ''} />
      <Band
        title={t`Ledger entries`}
        lead={t`The entries of this order. The sum of all entries of an asset is 0.`}
      >
        <LedgerTable entries={order.entries} />
      </Band>
    </>
  )
}

function Amounts({ order }: { order: OperatorOrderPage }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  return (
    <Figures>
      <Figure
        label={order.status === 'approved' ? t`Bought for` : t`To be paid`}
        note={
          order.cryptoAmount === order.askedAmount ? undefined : (
            <Trans>
              asked for: <TokenAmount value={order.askedAmount} unit={order.currency} />
            </Trans>
          )
        }
      >
        <TokenAmount value={order.cryptoAmount} unit={order.currency} />
      </Figure>
      <Figure label={t`Dollars`}>
        <Money value={order.usd} />
      </Figure>
      <Figure
        label={t`Amount to Receive`}
        note={
          <Trans>
            <TokenAmount value={order.baseTokens} /> and <TokenAmount value={order.bonusTokens} /> bonus (
            <Percent value={order.bonusPercent} />)
          </Trans>
        }
      >
        <TokenAmount value={order.receiveTokens} unit={symbol} />
      </Figure>
    </Figures>
  )
}

function Details({ order }: { order: OperatorOrderPage }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const stage = usePublicCampaign()?.stages.find(({ id }) => id === order.stageId)
  const declared = Object.entries(order.declarations)
  return (
    <Facts>
      <Fact label={t`Buyer`}>
        <Link className="underline underline-offset-2" to={paths.user(order.userId)}>
          {order.email || order.userReference}
        </Link>
      </Fact>
      <Fact label={t`Order Token`}>
        <Code text={order.token} what={t`Copy the order's token`} />
      </Fact>
      <Fact label={t`Address`}>
        {order.address ? <Code text={order.address} what={t`Copy the address`} /> : t`Address not specified`}
      </Fact>
      <Fact label={t`Transaction id from the buyer`}>
        {order.transactionId ? <Code text={order.transactionId} what={t`Copy the transaction id`} /> : '—'}
      </Fact>
      {order.sameTransaction.length > 0 ? (
        <Fact label={t`Other orders name this transaction too`}>
          {order.sameTransaction.map((number) => (
            <Link key={number} className="mr-3 underline underline-offset-2" to={paths.order(number)}>
              #{number}
            </Link>
          ))}
          <span className="block text-sm text-soft">{t`Only one of them can be approved.`}</span>
        </Fact>
      ) : null}
      <Fact label={t`Price and rate locked`}>
        <Money value={order.priceUsd} price />; 1 {order.currency} ={' '}
        <TokenAmount value={order.rate} unit={symbol} />
      </Fact>
      <Fact label={t`Stage`}>{stage ? <LocalText text={stage.name} /> : order.stageId}</Fact>
      {order.detail === 'awaiting_payment' ? (
        <Fact label={t`Expires unpaid`}>
          <DateTime value={order.expiresAt} />
        </Fact>
      ) : null}
      <Fact label={t`Updated At`}>
        <DateTime value={order.updatedAt} />
      </Fact>
      {declared.map(([key, value]) => (
        <Fact key={key} label={<Declared name={key} />}>
          <DeclaredValue name={key} value={value} />
        </Fact>
      ))}
    </Facts>
  )
}

function Declared({ name }: { name: string }) {
  const { t } = useLingui()
  const names: Record<string, string> = {
    country: t`Country, declared`,
    acceptTerms: t`Terms and risks accepted`,
    ageConfirmed: t`Age confirmed`,
    minimumAge: t`Minimum age then`,
    termsVersion: t`Terms accepted, version`,
    risksVersion: t`Risk notice accepted, version`,
    phone: t`Phone given`,
    via: t`How it was made`,
  }
  return names[name] ?? name
}

function DeclaredValue({ name, value }: { name: string; value: unknown }) {
  const { t } = useLingui()
  const countryName = useCountryName()
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (name === 'country') return countryName(String(value))
  return name === 'via' && value === 'payment' ? t`by a payment` : String(value)
}

function Code({ text, what }: { text: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="figures min-w-0 wrap-anywhere">{text}</span>
      <CopyButton text={text} what={what} className="size-7" />
    </span>
  )
}

function Payments({ order }: { order: OperatorOrderPage }) {
  const { t } = useLingui()
  const stateName = usePaymentStateName()
  return (
    <Band
      title={t`Payments`}
      lead={order.watched ? t`Seen on the chain.` : t`This currency is not watched: look at your wallet.`}
    >
      <DataTable
        caption={t`Payments`}
        rows={order.payments}
        keyOf={({ id }) => id}
        empty={t`No payment was seen.`}
        columns={[
          {
            label: t`Transaction`,
            className: 'wrap-anywhere',
            cell: ({ explorerUrl, transactionId }) =>
              explorerUrl ? (
                <a className="figures underline" href={explorerUrl} target="_blank" rel="noreferrer">
                  {transactionId}
                </a>
              ) : (
                <span className="figures">{transactionId}</span>
              ),
          },
          {
            label: t`Amount`,
            numeric: true,
            cell: ({ amount, currency }) => (
              <TokenAmount value={amount} unit={currency ?? '?'} decimalsMax={18} />
            ),
          },
          {
            label: t`State`,
            cell: (payment) => stateName({ ...payment, state: payment.state as PaymentState }),
          },
          {
            label: t`Confirmations`,
            numeric: true,
            cell: ({ confirmations, confirmationsNeeded }) => `${confirmations} / ${confirmationsNeeded}`,
          },
          { label: t`Seen`, cell: ({ seenAt }) => <DateTime value={seenAt} /> },
        ]}
      />
      {order.others ? (
        <p className="mt-2 text-sm text-soft">
          <Trans>
            Payments not listed: {order.others.count}, together{' '}
            <TokenAmount value={order.others.amount} unit={order.currency} decimalsMax={18} />
          </Trans>
        </p>
      ) : null}
    </Band>
  )
}
