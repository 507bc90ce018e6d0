import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import { type OperatorRefund, publicPaymentRoutes } from '../../../shared/api/payments.ts'
import { refundStates } from '../../../shared/payment-states.ts'
import type { Column } from '../../area/DataTable.tsx'
import { List, useList } from '../../area/List.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Figure, Figures } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { serverNow } from '../../ui/clock.ts'
import { Field } from '../../ui/Field.tsx'
import { Count, DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { useRefundReason, useRefundStateName } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { Prepare, Sent } from './RefundDialogs.tsx'
import { RefundFiles } from './RefundFiles.tsx'

interface Doing {
  readonly what: 'sent' | 'again'
  readonly refund: OperatorRefund
}

export function Refunds() {
  const { t } = useLingui()
  const url = useUrlState()
  const stateName = useRefundStateName()
  const refusal = useRefusal()('refunds:write')
  const [isPreparing, setPreparing] = useState(false)
  const [doing, setDoing] = useState<Doing>()
  const onClose = () => setDoing(undefined)
  const state = refundStates.find((known) => known === url.get('state'))
  const list = useList(operatorPaymentRoutes.refunds, { state, limit: 20 })
  const picked = usePicked(list.page?.items ?? [])
  const columns = [useMarkColumn(picked, refusal), ...useColumns(refusal, setDoing)]
  return (
    <>
      <Owed />
      <div className="mt-5 mb-4 flex flex-wrap items-end justify-between gap-4">
        <Field label={t`State`} className="w-56">
          <Select
            value={state ?? 'all'}
            onValueChange={(next) => url.set({ state: next === 'all' ? null : next })}
            options={[
              { value: 'all' as const, label: t`All` },
              ...refundStates.map((known) => ({ value: known, label: stateName(known) })),
            ]}
          />
        </Field>
        <Button disabledReason={refusal} onClick={() => setPreparing(true)}>
          {picked.refunds.length > 0 ? (
            <Trans>Prepare the marked ones: {picked.refunds.length}…</Trans>
          ) : (
            <Trans>Prepare refunds to sign…</Trans>
          )}
        </Button>
      </div>
      <List
        list={list}
        caption={t`Refunds`}
        empty={t`No results.`}
        columns={columns}
        keyOf={({ id }) => id}
        className="[&_td]:sm:px-2 [&_th]:sm:px-2"
      />
      {refusal ? null : <RefundFiles />}
      {isPreparing ? (
        <Prepare
          due={list.page?.items[0]?.network}
          picked={picked.refunds}
          onPrepared={picked.clear}
          onClose={() => setPreparing(false)}
        />
      ) : null}
      {doing?.what === 'again' ? <Prepare due={undefined} again={doing.refund} onClose={onClose} /> : null}
      {doing?.what === 'sent' ? <Sent refund={doing.refund} onClose={onClose} /> : null}
    </>
  )
}

type Picked = ReturnType<typeof usePicked>

/** Refunds picked across pages: of one network and not yet prepared. */
function usePicked(shown: readonly OperatorRefund[]) {
  const [marked, setMarked] = useState<readonly OperatorRefund[]>([])
  const now = new Map(shown.map((refund) => [refund.id, refund]))
  // Drop refunds whose state changed since they were selected.
  const refunds = marked.filter((refund) => isToPrepare(now.get(refund.id) ?? refund))
  const has = ({ id }: OperatorRefund) => refunds.some((refund) => refund.id === id)
  return {
    refunds,
    has,
    mayMark: (refund: OperatorRefund) =>
      isToPrepare(refund) && (refunds[0]?.network ?? refund.network) === refund.network,
    toggle: (refund: OperatorRefund) =>
      setMarked(has(refund) ? refunds.filter(({ id }) => id !== refund.id) : [...refunds, refund]),
    clear: () => setMarked([]),
  }
}

const isToPrepare = ({ state, isDue }: OperatorRefund) => state === 'claimed' && isDue

function useMarkColumn(picked: Picked, refusal: string | undefined): Column<OperatorRefund> {
  const { t } = useLingui()
  return {
    label: t`Mark`,
    head: <span className="sr-only">{t`Mark`}</span>,
    unlabelled: true,
    cell: (refund) => (
      <Checkbox
        labelHidden
        checked={picked.has(refund)}
        disabled={refusal !== undefined || !picked.mayMark(refund)}
        onCheckedChange={() => picked.toggle(refund)}
      >
        <Trans>Mark the refund of order {refund.orderId}</Trans>
      </Checkbox>
    ),
  }
}

function Owed() {
  const { t } = useLingui()
  const query = useQuery({ ...read(publicPaymentRoutes.refundsOwed), refetchInterval: refreshMs })
  return (
    <Loaded query={query}>
      {(owed) => (
        <Figures className="border-t-0 pt-0">
          <Figure
            label={t`Owed to buyers, public`}
            note={owed.currencies.map(({ currency, amount }) => (
              <TokenAmount
                key={currency}
                value={amount}
                unit={currency}
                decimalsMax={18}
                className="mr-3 inline-block"
              />
            ))}
          >
            <Money value={owed.owedUsd} />
          </Figure>
          <Figure
            label={t`Refunds due`}
            note={
              owed.oldestOwedAt ? (
                <Trans>
                  oldest <RelativeTime value={owed.oldestOwedAt} />
                </Trans>
              ) : undefined
            }
          >
            <Count value={owed.count} />
          </Figure>
          <Figure label={t`Paid back`}>
            <Count value={owed.paidCount} />
          </Figure>
        </Figures>
      )}
    </Loaded>
  )
}

function useColumns(refusal: string | undefined, onDo: (doing: Doing) => void): Column<OperatorRefund>[] {
  const { t } = useLingui()
  const stateName = useRefundStateName()
  const reason = useRefundReason()
  return [
    { label: t`Order`, cell: ({ orderId }) => <OrderLink id={orderId} /> },
    {
      label: t`Amount`,
      numeric: true,
      cell: ({ amount, currency }) => <TokenAmount value={amount} unit={currency} decimalsMax={18} />,
    },
    { label: t`Dollars`, numeric: true, cell: ({ usd }) => <Money value={usd} /> },
    { label: t`Why`, cell: (refund) => reason(refund.reason) },
    {
      label: t`State`,
      cell: (refund) => (
        <>
          <Status tone={toneOf(refund.state)}>{stateName(refund.state)}</Status>
          <Evidence refund={refund} />
        </>
      ),
    },
    {
      label: t({ message: 'To', context: 'where a refund goes' }),
      cell: ({ address }) => (address ? <ShortCode text={address} what={t`Copy the address`} /> : '—'),
    },
    {
      label: t`Owed since`,
      className: 'sm:min-w-28',
      cell: ({ owedAt, payBy, paidAt }) => (
        <>
          <DateTime value={owedAt} part="date" className="whitespace-nowrap" />{' '}
          <DateTime value={owedAt} part="time" className="whitespace-nowrap" />
          {payBy && !paidAt ? <PayBy value={payBy} /> : null}
        </>
      ),
    },
    {
      label: t`Actions`,
      actions: true,
      cell: (refund) => <Actions refund={refund} refusal={refusal} onDo={onDo} />,
    },
  ]
}

function PayBy({ value }: { value: string }) {
  const isOver = Date.parse(value) < serverNow()
  return (
    <span className={isOver ? 'block text-xs font-semibold text-danger' : 'block text-xs text-soft'}>
      {isOver ? (
        <Trans>
          overdue since <DateTime value={value} part="date" />
        </Trans>
      ) : (
        <Trans>
          pay by <DateTime value={value} part="date" />
        </Trans>
      )}
    </span>
  )
}

interface Shown {
  readonly refund: OperatorRefund
}

function Evidence({ refund }: Shown) {
  const { t } = useLingui()
  return (
    <div className="text-xs text-soft">
      {refund.preparedAt && refund.preparedBy ? (
        <span className="block">
          <Trans>
            by {refund.preparedBy}, <DateTime value={refund.preparedAt} />
          </Trans>
        </span>
      ) : null}
      {refund.state === 'claimed' && !refund.isDue ? (
        <span className="block">
          {refund.changeableUntil ? (
            <Trans>
              the address counts from <DateTime value={refund.changeableUntil} />
            </Trans>
          ) : (
            <Trans>the payment is not final yet</Trans>
          )}
        </span>
      ) : null}
      {refund.paidVia === 'operator' ? (
        <span className="block">
          <Trans>on an operator's word</Trans>
        </span>
      ) : null}
      {refund.otherTransfers.map((other) => (
        <span key={other.transactionId} className="block">
          {other.isOurs ? t`Also paid there from here:` : t`Somebody's transfer there:`}{' '}
          <TokenAmount value={other.amount} unit={refund.currency} decimalsMax={18} />{' '}
          <ShortCode text={other.transactionId} what={t`Copy the transaction id`} />
        </span>
      ))}
    </div>
  )
}

function Actions({
  refund,
  refusal,
  onDo,
}: Shown & { readonly refusal: string | undefined; readonly onDo: (doing: Doing) => void }) {
  const { t } = useLingui()
  const isOpen = ['owed', 'claimed', 'prepared', 'sent'].includes(refund.state)
  const button = (what: Doing['what'], label: ReactNode, reason?: string) => (
    <Button
      variant="secondary"
      size="sm"
      disabledReason={refusal ?? reason}
      onClick={() => onDo({ what, refund })}
    >
      {label}
    </Button>
  )
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {refund.transactionId ? (
        <ShortCode text={refund.transactionId} what={t`Copy the transaction id`} />
      ) : null}
      {isOpen && refund.confirmations === 0
        ? button(
            'sent',
            <Trans>Sent by…</Trans>,
            refund.address ? undefined : t`The buyer has not given an address yet.`,
          )
        : null}
      {refund.state === 'prepared' ? button('again', <Trans>Prepare again…</Trans>) : null}
    </span>
  )
}

function toneOf(state: OperatorRefund['state']) {
  if (state === 'paid' || state === 'written_off') return 'success'
  return state === 'owed' ? 'danger' : 'now'
}
