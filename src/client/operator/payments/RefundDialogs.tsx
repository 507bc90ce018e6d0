import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import type { OperatorRefund } from '../../../shared/api/payments.ts'
import { hasSegwit, isEvm, type Network, networks } from '../../../shared/networks.ts'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { readItems } from '../../area/reading.ts'
import { saveFile } from '../../area/save-file.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Checkbox } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useNetworkName } from '../payment-names.ts'
import { touched } from '../touched.ts'
import { likelySender } from './sending-transaction.ts'

interface OfRefund {
  readonly refund: OperatorRefund
  readonly onClose: () => void
}

interface Sending {
  transactionId: string
  isPaid: boolean
  reason: string
}

/** If no watcher can match the transaction, attests the payment. */
export function Sent({ refund, onClose }: OfRefund) {
  const { t } = useLingui()
  const networkName = useNetworkName()
  const initial: Sending = {
    transactionId: likelySender(refund),
    isPaid: false,
    reason: '',
  }
  const form = useForm({
    initial,
    send: ({ transactionId, isPaid, reason }: Sending) => {
      const params = { id: Number(refund.id) }
      const id = transactionId.trim()
      return isPaid
        ? call(operatorPaymentRoutes.refundPaid, { params, body: { transactionId: id, reason } })
        : call(operatorPaymentRoutes.refundSent, { params, body: { transactionId: id } })
    },
    touches: touched.orders,
    done: (_, { isPaid }) => {
      const sent = isFollowed
        ? t`Noted. It counts as paid once the chain confirms it.`
        : t`Noted as sent. It counts as paid once you say so here.`
      toast.success(isPaid ? t`Noted as paid.` : sent)
      onClose()
    },
  })
  const isFollowed = useIsFollowed(refund.network)
  const { transactionId, isPaid, reason } = form.values
  return (
    <FormDialog
      form={form}
      title={t`Which transaction sends it?`}
      submit={<Trans>Note it</Trans>}
      disabled={!/^(0x)?[0-9a-fA-F]{64}$/.test(transactionId.trim()) || (isPaid && reason.trim().length < 3)}
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
      {isFollowed || isPaid ? null : (
        <Notice tone="now">
          <Trans>
            Nobody follows {networkName(refund.network)} here, so no chain will confirm it: it stays “sent”
            until you say that it was paid.
          </Trans>
        </Notice>
      )}
      <Checkbox checked={isPaid} onCheckedChange={(on) => form.set({ isPaid: on })}>
        <Trans>Count it as paid on our word</Trans>
      </Checkbox>
      {isPaid ? (
        <TextField
          form={form}
          name="reason"
          label={t`Why the chain can't show it`}
          hint={t`For example that the wallet took its fee out of the amount. It stays in the audit log; the buyer is shown that you say so.`}
        />
      ) : null}
    </FormDialog>
  )
}

/** True if a watcher of the chain sees refunds, and until that is known. */
function useIsFollowed(network: Network): boolean {
  const chains = useQuery(readItems(operatorPaymentRoutes.chains)).data
  return chains?.some((chain) => chain.network === network && chain.nodes.length > 0) ?? true
}

/** Networks with their own form come first. */
const known = networks.toSorted((a, b) => Number(isEvm(b)) - Number(isEvm(a)))

interface Preparation {
  network: Network
  format: 'psbt' | 'csv'
  feePerVbyte: number | null
}

/**
 * Prepares all `due` refunds of a network (first the network with the oldest), the `picked` ones, or one
 * `again`.
 */
export function Prepare({
  due,
  picked = [],
  again,
  onPrepared,
  onClose,
}: {
  readonly due: Network | undefined
  readonly picked?: readonly OperatorRefund[]
  readonly again?: OperatorRefund | undefined
  readonly onPrepared?: () => void
  readonly onClose: () => void
}) {
  const { t } = useLingui()
  const networkName = useNetworkName()
  const [isSure, setSure] = useState(false)
  const form = usePreparation(due, again ? [again] : picked, again !== undefined, () => {
    onPrepared?.()
    onClose()
  })
  const mayPsbt = hasSegwit(form.values.network)
  const format = mayPsbt ? form.values.format : 'csv'
  return (
    <FormDialog
      form={form}
      title={again ? t`Prepare it again` : t`Prepare refunds`}
      description={
        picked.length > 0
          ? t`A file with the refunds that are marked, to be signed in your own wallet. This site holds no keys and sends nothing.`
          : t`A file with everything due on one network, to be signed in your own wallet. This site holds no keys and sends nothing.`
      }
      submit={<Trans>Prepare and download</Trans>}
      disabled={again !== undefined && !isSure}
      onClose={onClose}
    >
      {again?.preparedAt ? (
        <Twice again={again} preparedAt={again.preparedAt} isSure={isSure} onSure={setSure} />
      ) : picked.length > 0 ? (
        <p>
          <Trans>
            {picked.length} on {networkName(form.values.network)}
          </Trans>
        </p>
      ) : (
        <Field label={t`Network`}>
          <Select
            {...form.value('network')}
            options={known.map((network) => ({ value: network, label: networkName(network) }))}
          />
        </Field>
      )}
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

/** A refund prepared before could be paid twice. */
function Twice({
  again,
  preparedAt,
  isSure,
  onSure,
}: {
  readonly again: OperatorRefund
  readonly preparedAt: string
  readonly isSure: boolean
  readonly onSure: (isSure: boolean) => void
}) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Trans>
          {again.preparedBy ?? t`The system`} prepared it already, <DateTime value={preparedAt} />. If both
          files are signed, it can be paid twice.
        </Trans>
      </p>
      <Checkbox checked={isSure} onCheckedChange={onSure}>
        <Trans>The earlier file was not signed and will not be</Trans>
      </Checkbox>
    </div>
  )
}

function usePreparation(
  due: Network | undefined,
  picked: readonly OperatorRefund[],
  again: boolean,
  onPrepared: () => void,
) {
  const { t } = useLingui()
  const initial: Preparation = {
    network: picked[0]?.network ?? due ?? 'bitcoin',
    format: 'csv',
    feePerVbyte: 10,
  }
  return useForm({
    initial,
    send: ({ network, feePerVbyte, ...chosen }: Preparation) => {
      const format = hasSegwit(network) ? chosen.format : 'csv'
      const fee = format === 'psbt' && feePerVbyte ? { feePerVbyte } : {}
      const those = picked.length > 0 ? { refundIds: picked.map(({ id }) => id) } : {}
      return call(operatorPaymentRoutes.prepareRefunds, {
        body: { network, format, ...fee, ...those, ...(again ? { again } : {}) },
      })
    },
    touches: touched.orders,
    done: ({ fileName, content, count, leftOut }) => {
      saveFile(fileName, 'application/octet-stream', content)
      const small = leftOut.length
      toast.success(
        t`Refunds prepared: ${count}`,
        small > 0
          ? t`Left out because they are too small for a transaction: ${small}. Take a CSV for them.`
          : t`Sign ${fileName} in your own wallet.`,
      )
      onPrepared()
    },
  })
}
