import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OperatorOrder } from '../../../shared/api/orders.ts'
import { sum } from '../../../shared/money.ts'
import { NetworkError } from '../../api.ts'
import { needsApproval } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText, isSessionOver, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { formatAmount, formatDollars, Money, TokenAmount } from '../../ui/numbers.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { Status } from '../../ui/Status.tsx'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { decideOrder, NeverArrived } from './DecideOrder.tsx'

type Outcome = 'approved' | 'waits' | { failure: unknown }

/** Each is approved separately, with its own error. */
export function ApproveMany({
  orders,
  onClose,
}: {
  orders: readonly OperatorOrder[]
  onClose: (ended: readonly OperatorOrder[]) => void
}) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const symbol = useSymbol()
  const [reason, setReason] = useState('')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map())
  const columns = useColumns(outcomes)
  const done = orders.filter(({ id }) => outcomes.get(id) === 'approved')
  const left = orders.filter(({ id }) => !isEnded(outcomes.get(id)))
  const approve = useChange({
    run: () =>
      approveEach(client, left, reason.trim(), (id, outcome) =>
        setOutcomes((before) => new Map(before).set(id, outcome)),
      ),
    touches: touched.orders,
  })
  const count = left.length
  const total = formatDollars(sum(left.map(({ usd }) => usd)), i18n.locale)
  const tokens = formatAmount(sum(orders.map(({ receiveTokens }) => receiveTokens)), i18n.locale)
  const close = () => !approve.isPending && onClose(orders.filter((order) => !left.includes(order)))
  const doneCount = done.length
  const allCount = orders.length
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      size="lg"
      dismissible={false}
      title={t`Approve orders: ${allCount}?`}
      description={t`Each buyer is credited once, ${tokens} ${symbol} in all, and told by mail. Check first that each payment arrived.`}
      footer={
        <>
          <p role="status" className="mr-auto self-center text-sm">
            {outcomes.size > 0 ? t`Approved: ${doneCount} of ${allCount}` : null}
          </p>
          <Button variant="secondary" disabled={approve.isPending} onClick={close}>
            {outcomes.size > 0 ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}
          </Button>
          {count > 0 ? (
            <Button loading={approve.isPending} onClick={() => approve.mutate()}>
              <Trans>
                Approve {count} · {total}
              </Trans>
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable caption={t`Orders to approve`} columns={columns} rows={orders} keyOf={({ id }) => id} />
      <Field
        label={t`Note for the record`}
        optional={t`optional`}
        hint={t`Each buyer reads it in the history of the order.`}
        className="mt-4"
      >
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </Dialog>
  )
}

function useColumns(outcomes: ReadonlyMap<number, Outcome>): (Column<OperatorOrder> | null)[] {
  const { t } = useLingui()
  return [
    { label: t`ID`, cell: ({ id }) => <span className="figures">#{id}</span> },
    { label: t`Email`, className: 'break-all', cell: ({ email, userReference }) => email || userReference },
    {
      label: t`Asked`,
      numeric: true,
      cell: ({ cryptoAmount, currency }) => <TokenAmount value={cryptoAmount} unit={currency} />,
    },
    {
      label: t`Transaction ID`,
      cell: ({ id, transactionId }) =>
        transactionId ? (
          <ShortCode text={transactionId} what={t`Copy the transaction id of order ${id}`} />
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    { label: t`Dollars`, numeric: true, cell: ({ usd }) => <Money value={usd} /> },
    outcomes.size > 0
      ? { label: t`Outcome`, cell: ({ id }) => <OutcomeOf outcome={outcomes.get(id)} /> }
      : null,
  ]
}

function OutcomeOf({ outcome }: { outcome: Outcome | undefined }): ReactNode {
  if (outcome === undefined) return <span className="text-faint">–</span>
  if (outcome === 'approved')
    return (
      <Status tone="success">
        <Trans>Approved</Trans>
      </Status>
    )
  if (outcome === 'waits')
    return (
      <Status tone="now">
        <Trans>Waits for a second operator</Trans>
      </Status>
    )
  const { failure } = outcome
  return (
    <span className="text-danger">
      {failure instanceof NeverArrived ? (
        <Trans>The connection was lost on the way. You can try again.</Trans>
      ) : failure instanceof NetworkError ? (
        <Trans>Not known: no answer came. Repeating approves nothing twice.</Trans>
      ) : (
        errorText(failure)
      )}
    </span>
  )
}

/** True if the order was approved, is waiting for approval or changed: a retry is pointless. */
const isEnded = (outcome: Outcome | undefined) =>
  outcome !== undefined && (typeof outcome === 'string' || refusalCode(outcome.failure) === 'order_changed')

/**
 * One after the other, so that the oldest get the last room. Stops without a session, a proof or a network.
 */
async function approveEach(
  client: QueryClient,
  orders: readonly OperatorOrder[],
  reason: string,
  note: (id: number, outcome: Outcome) => void,
): Promise<void> {
  for (const order of orders.toSorted((a, b) => a.id - b.id)) {
    try {
      await decideOrder(client, { decision: 'approve', order, reason })
      note(order.id, 'approved')
    } catch (error) {
      if (refusalCode(error) === 'step_up_required' || isSessionOver(error)) throw error
      note(order.id, needsApproval(error) ? 'waits' : { failure: error })
      if (error instanceof NetworkError) return
    }
  }
}
