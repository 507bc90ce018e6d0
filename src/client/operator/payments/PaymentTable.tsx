import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type OperatorPayment, operatorPaymentRoutes } from '../../../shared/api/payments.ts'
import { paymentStateFacts, paymentStates } from '../../../shared/payment-states.ts'
import { call } from '../../area/call.ts'
import { useRowKeys } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { SearchField } from '../../area/SearchField.tsx'
import { useCursor, useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Select } from '../../ui/Select.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { networkNames } from '../network-names.ts'
import { paths } from '../paths.ts'
import { usePaymentStateName, usePaymentStateNames } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

type Doing = { what: 'attach' | 'refund'; payment: OperatorPayment }

/** Every payment that a chain showed on one of the sale's addresses. */
export function PaymentTable() {
  const { t } = useLingui()
  const url = useUrlState()
  const cursor = useCursor()
  const rows = useRowKeys()
  const stateNames = usePaymentStateNames()
  const [doing, setDoing] = useState<Doing>()
  const state = paymentStates.find((known) => known === url.get('state'))
  const toDecide = url.get('decide') === 'yes'
  const search = url.get('search')
  const query = useQuery({
    ...read(operatorPaymentRoutes.payments, {
      query: { state, search, toDecide: toDecide ? 'true' : undefined, after: cursor.after, limit: 20 },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <>
      <search className="mb-4 flex flex-wrap items-end gap-4">
        <SearchField
          value={search ?? ''}
          onChange={(next) => url.set({ search: next })}
          placeholder={t`Transaction or address (Ctrl+K)`}
        />
        <Field label={t`State`} className="w-56">
          <Select
            value={state ?? 'all'}
            onValueChange={(next) => url.set({ state: next === 'all' ? null : next })}
            options={[
              { value: 'all' as const, label: t`All` },
              ...paymentStates.map((known) => ({ value: known, label: stateNames[known] })),
            ]}
          />
        </Field>
        <div className="flex h-11 items-center">
          <Checkbox checked={toDecide} onCheckedChange={(on) => url.set({ decide: on ? 'yes' : null })}>
            <Trans>Only those to decide on</Trans>
          </Checkbox>
        </div>
      </search>
      <Loaded query={query}>
        {(page) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
            <Table caption={t`Payments`} stack>
              <THead>
                <Th>{t`Transaction`}</Th>
                <Th>{t`Network`}</Th>
                <Th numeric>{t`Amount`}</Th>
                <Th>{t`State`}</Th>
                <Th>{t`Order`}</Th>
                <Th>{t`Address`}</Th>
                <Th>{t`Seen`}</Th>
                <Th className="text-right">{t`Actions`}</Th>
              </THead>
              <TBody {...rows}>
                {page.items.length === 0 ? <EmptyRow columns={8}>{t`No results.`}</EmptyRow> : null}
                {page.items.map((payment) => (
                  <Row key={payment.id} payment={payment} onDo={(what) => setDoing({ what, payment })} />
                ))}
              </TBody>
            </Table>
            <Pagination
              page={cursor.page}
              hasPrevious={cursor.hasPrevious}
              hasNext={page.next !== null}
              onPrevious={cursor.previous}
              onNext={() => page.next && cursor.next(page.next)}
            />
          </div>
        )}
      </Loaded>
      {doing?.what === 'attach' ? (
        <Attach payment={doing.payment} onClose={() => setDoing(undefined)} />
      ) : null}
      {doing?.what === 'refund' ? (
        <OweBack payment={doing.payment} onClose={() => setDoing(undefined)} />
      ) : null}
    </>
  )
}

function Row({ payment, onDo }: { payment: OperatorPayment; onDo: (what: Doing['what']) => void }) {
  const { t } = useLingui()
  const stateName = usePaymentStateName()
  const refusal = useRefusal()
  const facts = paymentStateFacts[payment.state]
  const tone = facts.needsDecision
    ? 'accent'
    : facts.isAlive
      ? payment.state === 'final' || payment.state === 'credited'
        ? 'success'
        : 'now'
      : 'danger'
  return (
    <Tr>
      <Td label={t`Transaction`}>
        <ShortCode text={payment.transactionId} what={t`Copy the transaction id`} />
        {payment.explorerUrl ? (
          <a className="ml-1 text-xs underline" href={payment.explorerUrl} target="_blank" rel="noreferrer">
            <Trans>explorer</Trans>
          </a>
        ) : null}
      </Td>
      <Td label={t`Network`}>{networkNames[payment.network]}</Td>
      <Td label={t`Amount`} numeric>
        <TokenAmount value={payment.amount} unit={payment.currency ?? payment.asset} decimalsMax={18} />
      </Td>
      <Td label={t`State`}>
        <Status tone={tone}>{stateName(payment)}</Status>
        <span className="figures block text-xs text-soft">
          {payment.confirmations} / {payment.confirmationsNeeded}
        </span>
      </Td>
      <Td label={t`Order`}>
        {payment.orderId ? (
          <Link className="figures underline" to={paths.order(payment.orderId)}>
            {payment.orderId}
          </Link>
        ) : (
          '—'
        )}
      </Td>
      <Td label={t`Address`}>
        <ShortCode text={payment.address} what={t`Copy the address`} />
      </Td>
      <Td label={t`Seen`}>
        <DateTime value={payment.seenAt} />
      </Td>
      <Td className="max-sm:justify-end!">
        {facts.needsDecision ? (
          <span className="flex justify-end gap-1">
            <Button
              variant="secondary"
              size="sm"
              disabledReason={
                refusal('orders:decide') ??
                (payment.state === 'unmatched' ? undefined : t`It is of another asset.`)
              }
              onClick={() => onDo('attach')}
            >
              <Trans>Count for an order…</Trans>
            </Button>
            <Button
              variant="ghost"
              size="sm"
              disabledReason={refusal('refunds:write')}
              onClick={() => onDo('refund')}
            >
              <Trans>Owe back…</Trans>
            </Button>
          </span>
        ) : null}
      </Td>
    </Tr>
  )
}

function Attach({ payment, onClose }: { payment: OperatorPayment; onClose: () => void }) {
  const { t } = useLingui()
  const [order, setOrder] = useState('')
  const [failure, setFailure] = useState<string>()
  const attach = useChange({
    run: () =>
      call(operatorPaymentRoutes.attachPayment, {
        params: { id: Number(payment.id) },
        body: { orderId: Number(order) },
      }),
    touches: touched.orders,
    done: () => {
      toast.success(t`The payment counts for order #${order}.`)
      onClose()
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Count it for an order`}
      description={t`The order must be of the same currency. It settles by the same rules as any payment.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            loading={attach.isPending}
            disabled={!/^[1-9]\d*$/.test(order)}
            onClick={() => attach.mutate()}
          >
            <Trans>Count it</Trans>
          </Button>
        </>
      }
    >
      <FormError>{failure}</FormError>
      <Field label={t`Order's number`}>
        <Input
          className="figures"
          inputMode="numeric"
          value={order}
          onChange={(event) => setOrder(event.target.value.replace(/\D/g, ''))}
        />
      </Field>
    </Dialog>
  )
}

function OweBack({ payment, onClose }: { payment: OperatorPayment; onClose: () => void }) {
  const { t } = useLingui()
  const refund = useChange({
    run: () => call(operatorPaymentRoutes.refundPayment, { params: { id: Number(payment.id) } }),
    touches: touched.orders,
    done: () => {
      toast.success(t`It is owed to the buyer now.`)
      onClose()
    },
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Owe it back?`}
      confirm={t`Owe it back`}
      loading={refund.isPending}
      onConfirm={() => refund.mutate()}
    >
      <Trans>
        <TokenAmount value={payment.amount} unit={payment.currency ?? payment.asset} decimalsMax={18} />{' '}
        become owed to the buyer whose address it reached, and are part of the public sum of refunds owed.
      </Trans>
    </ConfirmDialog>
  )
}
