import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import type { OperatorPayment } from '../../../shared/api/payments.ts'
import { compare } from '../../../shared/money.ts'
import { paymentStateFacts, paymentStates } from '../../../shared/payment-states.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import type { Column } from '../../area/DataTable.tsx'
import { FilterCheckbox, FilterSelect } from '../../area/Filters.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { List, useList } from '../../area/List.tsx'
import { RowActions, RowButton } from '../../area/RowActions.tsx'
import { SearchField } from '../../area/SearchField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { useNetworkName, usePaymentStateName, usePaymentStateNames } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { WriteOffDialog } from './WriteOffDialog.tsx'

type Doing = { what: 'attach' | 'refund' | 'write-off'; payment: OperatorPayment }

export function PaymentTable() {
  const { t } = useLingui()
  const url = useUrlState()
  const [doing, setDoing] = useState<Doing>()
  const list = useList(operatorPaymentRoutes.payments, {
    state: paymentStates.find((known) => known === url.get('state')),
    search: url.get('search'),
    toDecide: url.get('decide') === 'yes' ? 'true' : undefined,
    limit: 20,
  })
  const columns = useColumns(setDoing)
  const onClose = () => setDoing(undefined)
  return (
    <>
      <Filters />
      <List
        list={list}
        caption={t`Payments`}
        empty={
          url.get('search')
            ? t`No results. Whole transaction ids, addresses and order ids are searched.`
            : t`No results.`
        }
        columns={columns}
        keyOf={({ id }) => id}
      />
      {doing?.what === 'attach' ? <Attach payment={doing.payment} onClose={onClose} /> : null}
      {doing?.what === 'write-off' ? <WriteOff payment={doing.payment} onClose={onClose} /> : null}
      {doing?.what === 'refund' ? <OweBack payment={doing.payment} onClose={onClose} /> : null}
    </>
  )
}

function Filters() {
  const { t } = useLingui()
  const stateNames = usePaymentStateNames()
  return (
    <search className="mb-4 flex flex-wrap items-end gap-4">
      <SearchField placeholder={t`Transaction or address ( / )`} />
      <FilterSelect
        name="state"
        label={t`State`}
        className="w-56"
        options={paymentStates.map((known) => ({ value: known, label: stateNames[known] }))}
      />
      <FilterCheckbox name="decide">
        <Trans>Only those to decide on</Trans>
      </FilterCheckbox>
    </search>
  )
}

function useColumns(onDo: (doing: Doing) => void): Column<OperatorPayment>[] {
  const { t } = useLingui()
  const networkName = useNetworkName()
  return [
    { label: t`Transaction`, cell: (payment) => <Transaction payment={payment} /> },
    { label: t`Network`, cell: ({ network }) => networkName(network) },
    { label: t`Amount`, numeric: true, cell: (payment) => <Amount payment={payment} /> },
    { label: t`State`, cell: (payment) => <PaymentState payment={payment} /> },
    { label: t`Order`, cell: ({ orderId }) => <OrderLink id={orderId} /> },
    { label: t`Address`, cell: ({ address }) => <ShortCode text={address} what={t`Copy the address`} /> },
    { label: t`Seen`, cell: ({ seenAt }) => <DateTime value={seenAt} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (payment) => <Actions payment={payment} onDo={(what) => onDo({ what, payment })} />,
    },
  ]
}

interface Shown {
  payment: OperatorPayment
}

function Transaction({ payment }: Shown) {
  const { t } = useLingui()
  return (
    <>
      <ShortCode text={payment.transactionId} what={t`Copy the transaction id`} />
      {payment.explorerUrl ? (
        <a className="ml-1 text-xs underline" href={payment.explorerUrl} target="_blank" rel="noreferrer">
          <Trans>explorer</Trans>
        </a>
      ) : null}
    </>
  )
}

function Amount({ payment }: Shown) {
  return <TokenAmount value={payment.amount} unit={payment.currency ?? payment.asset} decimalsMax={18} />
}

function PaymentState({ payment }: Shown) {
  const stateName = usePaymentStateName()
  return (
    <>
      <Status tone={toneOf(payment.state)}>{stateName(payment)}</Status>
      <span className="figures block text-xs text-soft">
        {payment.confirmations} / {payment.confirmationsNeeded}
      </span>
    </>
  )
}

function toneOf(state: OperatorPayment['state']) {
  const { needsDecision, isAlive } = paymentStateFacts[state]
  if (needsDecision) return 'accent'
  if (state === 'too_little' || state === 'dust') return 'neutral'
  if (!isAlive) return 'danger'
  return state === 'final' || state === 'credited' ? 'success' : 'now'
}

/** Why the payment can't become a debt, in the server's order of checks; undefined if it can. */
function useNotOwed(): (payment: OperatorPayment) => string | undefined {
  const { t } = useLingui()
  return ({ currency, userReference, lacks }) => {
    if (lacks === 'confirmations') return t`It has too few confirmations yet.`
    if (lacks === 'final_block') return t`Its block is not final yet.`
    if (lacks === 'second_node') return t`The chain’s second node has not shown it yet.`
    if (currency === null) return t`The sale lists no such token, so it is not owed. It can be written off.`
    return userReference === null
      ? t`It reached an address that was given to no buyer. It can be counted for an order or written off.`
      : undefined
  }
}

function Actions({ payment, onDo }: Shown & { onDo: (what: Doing['what']) => void }) {
  const { t } = useLingui()
  const refusal = useRefusal()
  const notOwed = useNotOwed()
  if (!paymentStateFacts[payment.state].needsDecision) return null
  if (payment.writtenOff)
    return <span className="text-xs text-soft">{t`Written off: ${payment.writtenOff.reason}`}</span>
  if (!payment.toDecide)
    return compare(payment.owed, '0') > 0 ? <span className="text-xs text-soft">{t`Owed back`}</span> : null
  return (
    <RowActions>
      <RowButton
        disabledReason={
          refusal('orders:decide') ?? (payment.state === 'unmatched' ? undefined : t`It is of another asset.`)
        }
        onClick={() => onDo('attach')}
      >
        <Trans>Count for an order…</Trans>
      </RowButton>
      <Button
        variant="ghost"
        size="sm"
        disabledReason={refusal('refunds:write') ?? notOwed(payment)}
        onClick={() => onDo('refund')}
      >
        <Trans>Owe back…</Trans>
      </Button>
      <RowButton disabledReason={refusal('refunds:write')} onClick={() => onDo('write-off')}>
        <Trans>Write off…</Trans>
      </RowButton>
    </RowActions>
  )
}

function WriteOff({ payment, onClose }: Shown & { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <WriteOffDialog
      title={t`Is nothing to be done about it?`}
      description={t`For payments that belong to nobody, such as a token sent unasked. It leaves the waiting list and stays on record with your reason.`}
      send={(body) =>
        call(operatorPaymentRoutes.writeOffPayment, { params: { id: Number(payment.id) }, body })
      }
      onClose={onClose}
    />
  )
}

function Attach({ payment, onClose }: Shown & { onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { order: '' },
    send: ({ order }: { order: string }) =>
      call(operatorPaymentRoutes.attachPayment, {
        params: { id: Number(payment.id) },
        body: { orderId: Number(order) },
      }),
    touches: touched.orders,
    done: (_, { order }) => {
      toast.success(t`The payment counts for order #${order}.`)
      onClose()
    },
    atField: { order_unknown: 'order' },
  })
  const { order } = form.values
  return (
    <FormDialog
      form={form}
      title={t`Count it for an order`}
      description={t`The order must be of the same currency. The payment then counts by the same rules as any other.`}
      submit={<Trans>Count it</Trans>}
      disabled={!/^[1-9]\d*$/.test(order)}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="order"
        label={t`Order's number`}
        className="figures"
        inputMode="numeric"
        typing={(typed) => typed.replace(/\D/g, '')}
      />
    </FormDialog>
  )
}

function OweBack({ payment, onClose }: Shown & { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ConfirmChange
      title={t`Owe it back?`}
      confirm={t`Owe it back`}
      run={() => call(operatorPaymentRoutes.refundPayment, { params: { id: Number(payment.id) } })}
      touches={touched.orders}
      done={() => toast.success(t`It is owed to the buyer now.`)}
      onClose={onClose}
    >
      <Trans>
        <Amount payment={payment} /> become owed to the buyer whose address it reached, and are part of the
        public sum of refunds owed.
      </Trans>
    </ConfirmChange>
  )
}
