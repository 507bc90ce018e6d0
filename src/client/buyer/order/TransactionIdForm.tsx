import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText, issueFor } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { orderQuery } from '../queries.ts'
import { touched } from '../touched.ts'

const shape = /^[A-Za-z0-9:_-]{8,128}$/

/** With a fixed address the operator finds the payment by the id that the buyer gives. */
export function TransactionIdForm({ order }: { order: BuyerOrder }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(order.transactionId ?? '')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const editable = order.actions.includes('enter_transaction_id')
  const save = useChange({
    run: (transactionId: string) =>
      call(orderRoutes.setTransactionId, { params: { token: order.token }, body: { transactionId } }),
    touches: touched.orders,
    failed: false,
    done: (changed) => {
      client.setQueryData(orderQuery(order.token).queryKey, changed)
      toast.success(t`Transaction id saved`)
    },
    onFail: (error) => {
      setProblem(issueFor(error, 'transactionId') ?? errorText(error))
      input.current?.focus()
    },
  })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const transactionId = typed.trim()
    if (!shape.test(transactionId)) {
      setProblem(t`Enter the transaction id as your wallet shows it.`)
      input.current?.focus()
      return
    }
    setProblem(undefined)
    save.mutate(transactionId)
  }
  return (
    <Band title={<Trans>Transaction id</Trans>}>
      {editable ? (
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
          <Field
            className="flex-1 basis-72"
            labelHidden
            label={<Trans>Transaction id</Trans>}
            hint={
              <Trans>
                Your wallet shows it once the payment is sent. The operator finds your payment by it.
              </Trans>
            }
            error={problem}
          >
            <Input
              ref={input}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className="figures text-sm"
            />
          </Field>
          <Button type="submit" variant="secondary" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </form>
      ) : (
        <p className="figures text-sm break-all">{order.transactionId}</p>
      )}
    </Band>
  )
}
