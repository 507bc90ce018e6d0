import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Children, type ReactNode, useState } from 'react'
import { operatorRoutes } from '../../../shared/api/operators.ts'
import {
  type OperatorOrder,
  type OperatorOrderPage,
  operatorOrderRoutes,
} from '../../../shared/api/orders.ts'
import { trimZeros } from '../../../shared/money.ts'
import type { OrderAction } from '../../../shared/order-states.ts'
import { NetworkError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { read } from '../../area/reading.ts'
import { useUnsaved } from '../../area/unsaved.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, isPassing } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput, WhichDecimal } from '../../ui/DecimalInput.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { formatAmount, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

export type Decision = 'approve' | 'reject' | 'hide'
export interface Asked {
  decision: Decision
  order: OperatorOrder
}

/** Why the decision is impossible now; undefined if it is possible. */
export function useDecisionRefusal(): (decision: Decision, order: OperatorOrder) => string | undefined {
  const { t } = useLingui()
  const refusal = useRefusal()('orders:decide')
  return (decision, order) => {
    if (refusal) return refusal
    if (order.actions.includes(decision satisfies OrderAction)) return undefined
    if (decision !== 'hide' && order.withheld === 'order_signed')
      return t`A payment into its escrow was signed and may still arrive.`
    if (decision !== 'hide' && order.withheld === 'order_in_escrow')
      return t`Its money lies in an escrow: its chain alone decides, and its seller cancels it there.`
    if (decision === 'approve') {
      if (order.status === 'approved') return t`It is approved already.`
      if (order.withheld === 'order_on_chain') return t`Only its chain approves this order.`
      if (order.withheld === 'soft_cap_missed')
        return t`The sale ended below its soft cap: all payments are owed back.`
      if (order.withheld === 'approval_over')
        return t`Orders are approved up to 3 days after they expire, and not once the soft cap is decided.`
      if (order.withheld === 'user_unknown') return t`The account of its buyer is deleted.`
      return t`It is rejected, and that is final.`
    }
    if (decision === 'reject') return t`It is rejected already.`
    return order.hidden ? t`It is deleted already.` : t`Reject or refund this order first.`
  }
}

/** For a second rejection: if no debt can be added any more. */
const hasHappened: Record<Decision, (found: OperatorOrder, asked: OperatorOrder) => boolean> = {
  approve: ({ status }) => status === 'approved',
  reject: ({ status, actions }, asked) =>
    status === 'rejected' && (asked.status !== 'rejected' || !actions.includes('reject')),
  hide: ({ hidden }) => hidden,
}

/** The decision never reached the server: the order is unchanged. */
export class NeverArrived extends Error {}

interface Sent extends Asked {
  reason: string
  /** The amount that arrived at a rejected order's fixed address, in its coin. */
  came?: string | undefined
  onLost?: () => void
}

/**
 * Throws `order_changed` if the status is not the shown one. If the answer is lost, reads the order to find
 * out: throws `NeverArrived`, or the `NetworkError` if the server stays unreachable.
 */
export async function decideOrder(
  client: QueryClient,
  { decision, order, reason, came, onLost }: Sent,
): Promise<OperatorOrder> {
  const { id, status } = order
  try {
    const said = reason ? { reason } : {}
    const params = { id }
    if (decision === 'reject')
      return await call(operatorOrderRoutes.reject, {
        params,
        body: { ...said, status, ...(came === undefined ? {} : { came }) },
      })
    const body = { ...said, ...(decision === 'hide' ? {} : { status }) }
    return await call(operatorOrderRoutes[decision], { params, body })
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    onLost?.()
    const found = await orderOnceReachable(id, client)
    if (!hasHappened[decision](found, order)) throw new NeverArrived()
    return found
  }
}

const orderQuery = (id: number) => read(operatorOrderRoutes.show, { params: { id } })

/** Retries for half a minute, then throws `NetworkError`. */
async function orderOnceReachable(id: number, client: QueryClient): Promise<OperatorOrderPage> {
  // A read that started earlier may return the old state.
  await client.cancelQueries({ queryKey: orderQuery(id).queryKey })
  return client.fetchQuery({
    ...orderQuery(id),
    staleTime: 0,
    // Retry even if the browser believes to be offline: only the server's answer counts.
    networkMode: 'always',
    retry: (count, error) => count < 15 && isPassing(error),
    retryDelay: 2_000,
  })
}

/** A typed note survives a failure. */
export function DecideOrder({
  asked,
  onClose,
  onDone,
}: {
  asked: Asked
  onClose: () => void
  onDone?: () => void
}) {
  const { t } = useLingui()
  const [reason, setReason] = useState('')
  // Read again after a failure, because somebody else may have decided.
  const [order, setOrder] = useState(asked.order)
  const { decision } = asked
  const { id } = order
  const note = reason.trim()
  const amount = useAmount({ decision, order })
  const sent = { decision, order, reason: note, came: amount.isAsked ? amount.came : undefined }
  const { decide, lost } = useDecide(sent, { onClose, onDone, onStands: setOrder })
  const keep = useKeepNote(order, note, onClose)
  const isOver = useDecisionRefusal()(decision, order)
  useUnsaved(note !== '', { spansSearch: true })
  const titles = {
    approve: t`Approve order #${id}?`,
    reject: t`Reject order #${id}?`,
    hide: t`Delete order #${id}?`,
  }
  const confirms = { approve: t`Approve payment`, reject: t`Reject payment`, hide: t`Delete` }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isOver ? t`Order #${id} was not changed` : titles[decision]}
      danger={decision !== 'approve' && !isOver}
      confirm={isOver ? t`Keep the note` : confirms[decision]}
      loading={decide.isPending || keep.isPending}
      disabledReason={amount.isLacking && !isOver ? t`Say how much came: 0 if nothing did.` : undefined}
      onConfirm={() => (isOver ? keep : decide).mutate()}
    >
      {isOver ? (
        <Notice tone="danger">
          {isOver} <Trans>Your text can be kept as a note about this order.</Trans>
        </Notice>
      ) : (
        <Consequences decision={decision} order={order} />
      )}
      {lost ? (
        <Notice tone="danger">
          <Trans>No answer came. Asking the server whether it happened…</Trans>
        </Notice>
      ) : null}
      {amount.isAsked && !isOver ? <HowMuchCame amount={amount} currency={order.currency} /> : null}
      <Field
        label={t`Note for the record`}
        optional={isOver ? undefined : t`optional`}
        hint={isOver ? undefined : t`The buyer reads it in the history of the order.`}
        className="mt-4"
      >
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}

/** The stated amount, by default the approved one. */
function useAmount({ decision, order }: Asked) {
  const [typed, setCame] = useState<string>()
  const isAsked = decision === 'reject' && !order.watched
  const came = typed ?? (order.status === 'approved' ? trimZeros(order.cryptoAmount) : '')
  return { isAsked, came, setCame, isLacking: isAsked && !/^\d+(\.\d+)?$/.test(came) }
}

function HowMuchCame({ amount, currency }: { amount: ReturnType<typeof useAmount>; currency: string }) {
  const { t } = useLingui()
  return (
    <Field label={t`How much came`} hint={t`In ${currency}. 0 if nothing came.`} className="mt-4">
      <DecimalInput value={amount.came} onValueChange={amount.setCame} />
      <WhichDecimal value={amount.came} onChoose={amount.setCame} />
    </Field>
  )
}

/**
 * The decision is `lost` while its answer is lost and the order is read. A failure closes the dialog unless a
 * note was typed; then `onStands` gets the current order.
 */
function useDecide(
  { reason, ...asked }: Omit<Sent, 'onLost'>,
  {
    onClose,
    onDone,
    onStands,
  }: { onClose: () => void; onDone?: (() => void) | undefined; onStands: (order: OperatorOrder) => void },
) {
  const client = useQueryClient()
  const { id } = asked.order
  const told = useOutcome(asked.decision, id)
  const [lost, setLost] = useState(false)
  /** If the server is unreachable, trusts the decision's answer. */
  const isNoted = () =>
    orderOnceReachable(id, client).then(
      (found) => notedReason(asked.decision, found) === reason,
      () => true,
    )
  const stands = (found: OperatorOrderPage) => {
    // The decision did take effect; only its answer was lost.
    const isOurs =
      hasHappened[asked.decision](found, asked.order) && notedReason(asked.decision, found) === reason
    if (!isOurs) return onStands(found)
    onClose()
    told.done(found)
  }
  const decide = useChange({
    run: async () => {
      const result = await decideOrder(client, { ...asked, reason, onLost: () => setLost(true) })
      return { result, isKept: !reason || (await isNoted()) }
    },
    touches: touched.orders,
    done: ({ result, isKept }) => {
      setLost(false)
      onDone?.()
      // Somebody else decided the same, so the note was not stored.
      if (!isKept) return onStands(result)
      onClose()
      told.done(result)
    },
    onWaits: onClose,
    failed: false,
    onFail: (error) => {
      setLost(false)
      told.failed(error)
      if (reason) void orderOnceReachable(id, client).then(stands, () => undefined)
      else onClose()
    },
  })
  return { decide, lost }
}

const eventsOf: Record<Decision, readonly string[]> = {
  approve: ['approved'],
  reject: ['rejected', 'reversed'],
  hide: ['hidden'],
}

/** The note of the last decision of this kind; an older one may have the same text. */
const notedReason = (decision: Decision, { events }: OperatorOrderPage): unknown =>
  events.findLast(({ kind }) => eventsOf[decision].includes(kind))?.details['reason']

function useKeepNote({ id, userId }: OperatorOrder, text: string, done: () => void) {
  const { t } = useLingui()
  // A retry does not store the note twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  return useChange({
    run: async () => {
      if (text)
        await call(operatorRoutes.addUserNote, {
          params: { id: String(userId) },
          body: { text, orderId: id },
          idempotencyKey,
        })
    },
    untilAnswered: true,
    touches: touched.userNotes,
    done: () => {
      done()
      if (text) toast.success(t`The note was added.`)
    },
    failed: t`Error`,
  })
}

function useOutcome(decision: Decision, id: number) {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  return {
    done: (result: OperatorOrder) => {
      if (decision === 'approve') {
        const amount = formatAmount(result.receiveTokens, i18n.locale)
        toast.success(t`Order #${id} approved`, t`${amount} ${symbol} credited to ${result.email}.`)
      } else if (decision === 'reject') toast.success(t`Order #${id} rejected`)
      else toast.success(t`Order #${id} deleted`, <UndoHide id={id} />)
    },
    failed: (error: unknown) => {
      if (error instanceof NetworkError)
        toast.error(
          t`It is not known whether order #${id} was changed`,
          t`No answer came. Look at the order once the connection is back; repeating does nothing twice.`,
        )
      else
        toast.error(
          t`Order #${id} was not changed`,
          error instanceof NeverArrived
            ? t`The connection was lost on the way. You can try again.`
            : errorText(error),
        )
    },
  }
}

function Consequences({ decision, order }: Asked) {
  const symbol = useSymbol()
  const tokens = <TokenAmount value={order.receiveTokens} unit={symbol} className="text-ink" />
  const crypto = <TokenAmount value={order.cryptoAmount} unit={order.currency} className="text-ink" />
  const usd = <Money value={order.usd} className="text-ink" />
  const email = <strong className="text-ink">{order.email}</strong>
  if (decision === 'approve')
    return (
      <Lines>
        <Trans>
          {email} is credited {tokens}, once.
        </Trans>
        <Trans>{usd} count as raised, publicly marked “approved by an operator”.</Trans>
        <Trans>Check first that {crypto} arrived. The buyer gets a mail.</Trans>
        <Trans>It is refused if too little is left of the stage.</Trans>
      </Lines>
    )
  if (decision === 'hide')
    return (
      <Lines>
        <Trans>It leaves the lists of operators; its buyer sees it as withdrawn by the operator.</Trans>
        <Trans>Ledger and audit log keep everything. It can be undone.</Trans>
      </Lines>
    )
  const wasApproved = order.status === 'approved'
  const isOwed = order.detail === 'refund_due' || order.detail === 'refunded'
  if (order.status === 'rejected')
    return (
      <Lines>
        {isOwed ? (
          <Trans>
            The order is over already. If more came than is owed for it, say how much came in all: the rest
            becomes owed, too.
          </Trans>
        ) : (
          <Trans>The order is over already. Say how much came for it all the same.</Trans>
        )}
        {isOwed ? null : <OwedThen order={order} />}
        <Trans>The buyer gets a mail.</Trans>
      </Lines>
    )
  return (
    <Lines>
      {wasApproved ? (
        <Trans>
          {tokens} are taken back from {email}, exactly the credited ones.
        </Trans>
      ) : (
        <Trans>
          The order of {email} over {tokens} is rejected.
        </Trans>
      )}
      {wasApproved ? <Trans>{usd} no longer count as raised.</Trans> : null}
      <OwedThen order={order} />
      <Trans>The buyer gets a mail.</Trans>
    </Lines>
  )
}

const OwedThen = ({ order }: { order: OperatorOrder }) =>
  order.watched ? (
    <Trans>
      The amount that its chain confirmed becomes owed to the buyer, publicly. The rejection can't be undone.
    </Trans>
  ) : (
    <Trans>
      The amount that you name becomes owed to the buyer, publicly, on your word. The rejection can't be
      undone.
    </Trans>
  )

function Lines({ children }: { children: ReactNode }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {Children.map(children, (line) => (line ? <li>{line}</li> : null))}
    </ul>
  )
}

export function useUnhide() {
  const { t } = useLingui()
  return useChange({
    run: (id: number) => call(operatorOrderRoutes.unhide, { params: { id } }),
    touches: touched.orders,
    done: (_, id) => toast.success(t`Order #${id} is back`),
  })
}

function UndoHide({ id }: { id: number }) {
  const unhide = useUnhide()
  return (
    <Button
      variant="link"
      size="sm"
      className="h-6"
      loading={unhide.isPending}
      onClick={() => unhide.mutate(id)}
    >
      <Trans>Undo</Trans>
    </Button>
  )
}
