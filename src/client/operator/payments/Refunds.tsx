import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { evmNetworks, type Network, networks } from '../../../shared/api/currencies.ts'
import {
  type OperatorRefund,
  operatorPaymentRoutes,
  publicPaymentRoutes,
} from '../../../shared/api/payments.ts'
import { refundStates } from '../../../shared/payment-states.ts'
import { call } from '../../area/call.ts'
import type { Column } from '../../area/DataTable.tsx'
import { FilterSelect } from '../../area/Filters.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { List, useList } from '../../area/List.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { networkNames } from '../../area/network-names.ts'
import { Figure, Figures } from '../../area/Page.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { SelectField } from '../../area/SelectField.tsx'
import { saveFile } from '../../area/save-file.ts'
import { TextField } from '../../area/TextField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Count, DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { useRefundReason, useRefundStateName } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

/** What is owed back to buyers, those still due first. */
export function Refunds() {
  const { t } = useLingui()
  const url = useUrlState()
  const stateName = useRefundStateName()
  const refusal = useRefusal()('refunds:write')
  const [preparing, setPreparing] = useState(false)
  const [sending, setSending] = useState<OperatorRefund>()
  const state = refundStates.find((known) => known === url.get('state'))
  const list = useList(operatorPaymentRoutes.refunds, { state, limit: 20 })
  const columns = useColumns(refusal, setSending)
  return (
    <>
      <Owed />
      <div className="mt-5 mb-4 flex flex-wrap items-end justify-between gap-4">
        <FilterSelect
          name="state"
          label={t`State`}
          className="w-56"
          options={refundStates.map((known) => ({ value: known, label: stateName(known) }))}
        />
        <Button disabledReason={refusal} onClick={() => setPreparing(true)}>
          <Trans>Prepare refunds to sign…</Trans>
        </Button>
      </div>
      <List
        list={list}
        caption={t`Refunds`}
        empty={t`No results.`}
        columns={columns}
        keyOf={({ id }) => id}
      />
      {preparing ? <Prepare due={list.page?.items[0]?.network} onClose={() => setPreparing(false)} /> : null}
      {sending ? <Sent refund={sending} onClose={() => setSending(undefined)} /> : null}
    </>
  )
}

function Owed() {
  const { t } = useLingui()
  const query = useQuery({ ...read(publicPaymentRoutes.refundsOwed), refetchInterval: refreshMs })
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

function useColumns(
  refusal: string | undefined,
  onSent: (refund: OperatorRefund) => void,
): Column<OperatorRefund>[] {
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
      cell: ({ state }) => <Status tone={toneOf(state)}>{stateName(state)}</Status>,
    },
    {
      label: t`To`,
      cell: ({ address }) => (address ? <ShortCode text={address} what={t`Copy the address`} /> : '—'),
    },
    { label: t`Owed since`, cell: ({ owedAt }) => <DateTime value={owedAt} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (refund) =>
        refund.transactionId ? (
          <ShortCode text={refund.transactionId} what={t`Copy the transaction id`} />
        ) : (
          <RowButton
            disabledReason={
              refusal ?? (refund.address ? undefined : t`The buyer has not given an address yet.`)
            }
            onClick={() => onSent(refund)}
          >
            <Trans>Sent by…</Trans>
          </RowButton>
        ),
    },
  ]
}

function toneOf(state: OperatorRefund['state']) {
  if (state === 'paid' || state === 'written_off') return 'success'
  return state === 'owed' ? 'danger' : 'now'
}

function Sent({ refund, onClose }: { refund: OperatorRefund; onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { transactionId: '' },
    send: ({ transactionId }: { transactionId: string }) =>
      call(operatorPaymentRoutes.refundSent, {
        params: { id: Number(refund.id) },
        body: { transactionId: transactionId.trim() },
      }),
    touches: touched.orders,
    done: () => {
      toast.success(t`Noted. It counts as paid once the chain confirms it.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t`Which transaction sends it?`}
      submit={<Trans>Note it</Trans>}
      disabled={!/^(0x)?[0-9a-fA-F]{64}$/.test(form.values.transactionId.trim())}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="transactionId"
        label={t`Transaction id`}
        hint={t`64 hexadecimal digits.`}
        className="figures"
        spellCheck={false}
      />
    </FormDialog>
  )
}

/** Networks on which refunds are signed in a wallet of the operator's own. */
const signedNetworks = networks.filter(
  (known) =>
    known === 'bitcoin' || known === 'litecoin' || known === 'dogecoin' || evmNetworks.includes(known),
)

const mayBePsbt = (network: Network) => network === 'bitcoin' || network === 'litecoin'

interface Preparation {
  network: Network
  format: 'psbt' | 'csv'
  feePerVbyte: number | null
}

/** Proposes the network of what is `due` longest. */
function Prepare({ due, onClose }: { due: Network | undefined; onClose: () => void }) {
  const { t } = useLingui()
  const initial: Preparation = { network: due ?? 'bitcoin', format: 'csv', feePerVbyte: 10 }
  const form = useForm({
    initial,
    send: ({ network, feePerVbyte, ...chosen }: Preparation) => {
      const format = mayBePsbt(network) ? chosen.format : 'csv'
      const fee = format === 'psbt' && feePerVbyte ? { feePerVbyte } : {}
      return call(operatorPaymentRoutes.prepareRefunds, { body: { network, format, ...fee } })
    },
    touches: touched.orders,
    done: ({ fileName, content, count }) => {
      if (count > 0) saveFile(fileName, 'application/octet-stream', content)
      toast.success(
        t`Refunds prepared: ${count}`,
        count > 0 ? t`Sign ${fileName} in your own wallet.` : undefined,
      )
      onClose()
    },
  })
  const mayPsbt = mayBePsbt(form.values.network)
  const format = mayPsbt ? form.values.format : 'csv'
  return (
    <FormDialog
      form={form}
      title={t`Prepare refunds`}
      description={t`A file with everything due on one network, to be signed in your own wallet. This site holds no keys and sends nothing.`}
      submit={<Trans>Prepare and download</Trans>}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="network"
        label={t`Network`}
        options={signedNetworks.map((known) => ({ value: known, label: networkNames[known] }))}
      />
      <Field label={t`As`}>
        <Select
          {...form.value('format')}
          value={format}
          options={[
            { value: 'csv', label: t`CSV to import` },
            { value: 'psbt', label: t`Unsigned PSBT`, disabled: !mayPsbt },
          ]}
        />
      </Field>
      {format === 'psbt' ? (
        <Field label={t`Fee, sat per vbyte`}>
          <NumberField {...form.value('feePerVbyte')} min={1} max={10_000} />
        </Field>
      ) : null}
    </FormDialog>
  )
}
