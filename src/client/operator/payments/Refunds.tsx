import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { evmNetworks, type Network, networks } from '../../../shared/api/currencies.ts'
import {
  type OperatorRefund,
  operatorPaymentRoutes,
  publicPaymentRoutes,
} from '../../../shared/api/payments.ts'
import { refundStates } from '../../../shared/payment-states.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Figure, Figures } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { useCursor, useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Count, DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Select } from '../../ui/Select.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { networkNames } from '../network-names.ts'
import { paths } from '../paths.ts'
import { useRefundReason, useRefundStateName } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

/** What is owed back to buyers, those still due first. */
export function Refunds() {
  const { t } = useLingui()
  const url = useUrlState()
  const cursor = useCursor()
  const stateName = useRefundStateName()
  const refusal = useRefusal()('refunds:write')
  const [preparing, setPreparing] = useState(false)
  const [sending, setSending] = useState<OperatorRefund>()
  const state = refundStates.find((known) => known === url.get('state'))
  const query = useQuery({
    ...read(operatorPaymentRoutes.refunds, { query: { state, after: cursor.after, limit: 20 } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
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
          <Trans>Prepare refunds to sign…</Trans>
        </Button>
      </div>
      <Loaded query={query}>
        {(page) => (
          <>
            <Table caption={t`Refunds`} stack>
              <THead>
                <Th>{t`Order`}</Th>
                <Th numeric>{t`Amount`}</Th>
                <Th numeric>{t`Dollars`}</Th>
                <Th>{t`Why`}</Th>
                <Th>{t`State`}</Th>
                <Th>{t`To`}</Th>
                <Th>{t`Owed since`}</Th>
                <Th className="text-right">{t`Actions`}</Th>
              </THead>
              <TBody>
                {page.items.length === 0 ? <EmptyRow columns={8}>{t`No results.`}</EmptyRow> : null}
                {page.items.map((refund) => (
                  <Row key={refund.id} refund={refund} refusal={refusal} onSent={() => setSending(refund)} />
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
          </>
        )}
      </Loaded>
      {preparing ? <Prepare due={query.data?.items[0]?.network} onClose={() => setPreparing(false)} /> : null}
      {sending ? <Sent refund={sending} onClose={() => setSending(undefined)} /> : null}
    </>
  )
}

function Owed() {
  const { t } = useLingui()
  const query = useQuery({
    ...read(publicPaymentRoutes.refundsOwed),
    refetchInterval: refreshMs,
  })
  return (
    <Loaded query={query}>
      {(owed) => (
        <Figures>
          <Figure label={t`Owed to buyers, public`}>
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

function Row({
  refund,
  refusal,
  onSent,
}: {
  refund: OperatorRefund
  refusal: string | undefined
  onSent: () => void
}) {
  const { t } = useLingui()
  const stateName = useRefundStateName()
  const reason = useRefundReason()
  const done = refund.state === 'paid' || refund.state === 'written_off'
  return (
    <Tr>
      <Td label={t`Order`}>
        {refund.orderId ? (
          <Link className="figures underline" to={paths.order(refund.orderId)}>
            {refund.orderId}
          </Link>
        ) : (
          '—'
        )}
      </Td>
      <Td label={t`Amount`} numeric>
        <TokenAmount value={refund.amount} unit={refund.currency} decimalsMax={18} />
      </Td>
      <Td label={t`Dollars`} numeric>
        <Money value={refund.usd} />
      </Td>
      <Td label={t`Why`}>{reason(refund.reason)}</Td>
      <Td label={t`State`}>
        <Status tone={done ? 'success' : refund.state === 'owed' ? 'danger' : 'now'}>
          {stateName(refund.state)}
        </Status>
      </Td>
      <Td label={t`To`}>
        {refund.address ? <ShortCode text={refund.address} what={t`Copy the address`} /> : '—'}
      </Td>
      <Td label={t`Owed since`}>
        <DateTime value={refund.owedAt} />
      </Td>
      <Td className="text-right">
        {refund.transactionId ? (
          <ShortCode text={refund.transactionId} what={t`Copy the transaction id`} />
        ) : (
          <Button
            variant="secondary"
            size="sm"
            disabledReason={
              refusal ?? (refund.address ? undefined : t`The buyer has not given an address yet.`)
            }
            onClick={onSent}
          >
            <Trans>Sent by…</Trans>
          </Button>
        )}
      </Td>
    </Tr>
  )
}

function Sent({ refund, onClose }: { refund: OperatorRefund; onClose: () => void }) {
  const { t } = useLingui()
  const [id, setId] = useState('')
  const [failure, setFailure] = useState<string>()
  const sent = useChange({
    run: () =>
      call(operatorPaymentRoutes.refundSent, {
        params: { id: Number(refund.id) },
        body: { transactionId: id.trim() },
      }),
    touches: touched.orders,
    done: () => {
      toast.success(t`Noted. It counts as paid once the chain confirms it.`)
      onClose()
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Which transaction sends it?`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            loading={sent.isPending}
            disabled={!/^(0x)?[0-9a-fA-F]{64}$/.test(id.trim())}
            onClick={() => sent.mutate()}
          >
            <Trans>Note it</Trans>
          </Button>
        </>
      }
    >
      <FormError>{failure}</FormError>
      <Field label={t`Transaction id`} hint={t`64 hexadecimal digits.`}>
        <Input
          className="figures"
          value={id}
          onChange={(event) => setId(event.target.value)}
          spellCheck={false}
        />
      </Field>
    </Dialog>
  )
}

/** Proposes the network of what is `due` longest. */
function Prepare({ due, onClose }: { due: Network | undefined; onClose: () => void }) {
  const { t } = useLingui()
  const [network, setNetwork] = useState<Network>(due ?? 'bitcoin')
  const [format, setFormat] = useState<'psbt' | 'csv'>('csv')
  const [fee, setFee] = useState<number | null>(10)
  const [failure, setFailure] = useState<string>()
  const mayPsbt = network === 'bitcoin' || network === 'litecoin'
  const chosen = mayPsbt ? format : 'csv'
  const prepare = useChange({
    run: () =>
      call(operatorPaymentRoutes.prepareRefunds, {
        body: { network, format: chosen, ...(chosen === 'psbt' && fee ? { feePerVbyte: fee } : {}) },
      }),
    touches: touched.orders,
    done: ({ fileName, content, count }) => {
      if (count > 0) download(fileName, content)
      toast.success(
        t`Refunds prepared: ${count}`,
        count > 0 ? t`Sign ${fileName} in your own wallet.` : undefined,
      )
      onClose()
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Prepare refunds`}
      description={t`A file with everything due on one network, to be signed in your own wallet. This site holds no keys and sends nothing.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={prepare.isPending} onClick={() => prepare.mutate()}>
            <Trans>Prepare and download</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failure}</FormError>
        <Field label={t`Network`}>
          <Select
            value={network}
            onValueChange={setNetwork}
            options={networks
              .filter(
                (known) =>
                  known === 'bitcoin' ||
                  known === 'litecoin' ||
                  known === 'dogecoin' ||
                  evmNetworks.includes(known),
              )
              .map((known) => ({ value: known, label: networkNames[known] }))}
          />
        </Field>
        <Field label={t`As`}>
          <Select
            value={chosen}
            onValueChange={setFormat}
            options={[
              { value: 'csv', label: t`CSV to import` },
              { value: 'psbt', label: t`Unsigned PSBT`, disabled: !mayPsbt },
            ]}
          />
        </Field>
        {chosen === 'psbt' ? (
          <Field label={t`Fee, sat per vbyte`}>
            <NumberField value={fee} min={1} max={10_000} onValueChange={setFee} />
          </Field>
        ) : null}
      </div>
    </Dialog>
  )
}

function download(fileName: string, content: string) {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
