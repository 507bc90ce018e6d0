import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { TextField } from '../../area/TextField.tsx'
import { lineRules, useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { keptOr, useKept } from '../kept-form.ts'
import { useNameTransaction } from './name-transaction.ts'

const shape = /^[A-Za-z0-9:_-]{8,128}$/

export function TransactionIdForm({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const naming = useNameTransaction(order.token)
  const saved = { transactionId: order.transactionId ?? '' }
  const form = useForm({
    initial: keptOr(order.token, saved),
    rules: lineRules('transactionId', (line) =>
      shape.test(line) ? undefined : t`Enter the transaction id as your wallet shows it.`,
    ),
    ...naming,
    send: ({ transactionId }) => naming.send(transactionId),
    atField: 'transactionId',
  })
  useKept(order.token, form.values, saved)
  const [shown, setShown] = useState(saved.transactionId)
  // A wallet's payment is submitted elsewhere on the page; show it here unless something was typed.
  if (shown !== saved.transactionId) {
    setShown(saved.transactionId)
    if (form.values.transactionId === shown) form.reset(saved)
  }
  return (
    <form {...form.formProps} className="flex flex-wrap items-start gap-3">
      <TextField
        form={form}
        name="transactionId"
        fieldClassName="flex-1 basis-72"
        labelHidden
        label={<Trans>Transaction id</Trans>}
        hint={
          <Trans>Your wallet shows it once the payment is sent. The operator finds your payment by it.</Trans>
        }
        autoComplete="off"
        spellCheck={false}
        className="figures text-sm"
      />
      <Button
        type="submit"
        variant={order.sentAt && !order.transactionId ? 'primary' : 'secondary'}
        loading={form.isPending}
      >
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
