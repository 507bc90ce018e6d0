import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorOrder, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { OrderAction } from '../../../shared/order-states.ts'
import { NetworkError } from '../../api.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { formatAmount, Money, TokenAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { act } from '../act.ts'
import { useChange } from '../change.ts'
import { useSymbol } from '../data.ts'
import { useRefusal } from '../session.ts'

export type Decision = 'approve' | 'reject' | 'hide'
export interface Asked {
  decision: Decision
  order: OperatorOrder
}

const touches = [
  ['orders'],
  ['order'],
  ['approved'],
  ['overview'],
  ['users'],
  ['user'],
  ['public-campaign'],
  ['pending-actions'],
]

/** Why an order can't be approved, rejected or deleted just now; undefined where it can. */
export function useDecisionRefusal(): (decision: Decision, order: OperatorOrder) => string | undefined {
  const { t } = useLingui()
  const refusal = useRefusal()('orders:decide')
  return (decision, order) => {
    if (refusal) return refusal
    if (order.actions.includes(decision satisfies OrderAction)) return undefined
    if (decision === 'approve')
      return order.status === 'approved' ? t`It is approved already.` : t`Its money was sent back.`
    if (decision === 'reject') return t`It is rejected already.`
    return order.hidden ? t`It is deleted already.` : t`Reject or refund this order first.`
  }
}

/** Asks before an order is approved, rejected or deleted, saying what will happen, and does it. */
export function DecideOrder({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const symbol = useSymbol()
  const [reason, setReason] = useState('')
  const { decision, order } = asked
  const { id } = order

  const decide = useChange({
    run: () =>
      act(operatorOrderRoutes[decision], {
        params: { id },
        body: reason.trim() ? { reason: reason.trim() } : {},
      }),
    touches,
    done: (result) => {
      onClose()
      if (decision === 'approve') {
        const amount = formatAmount(result.receiveTokens, i18n.locale)
        toast.success(t`Order #${id} approved`, t`${amount} ${symbol} credited to ${result.email}.`)
      } else if (decision === 'reject') toast.success(t`Order #${id} rejected`)
      else toast.success(t`Order #${id} deleted`, <UndoHide id={id} />)
    },
    failed: false,
    onFail: (error) => {
      onClose()
      // After a lost connection nobody here knows whether it happened: the row is read again and shows it.
      const words =
        error instanceof NetworkError
          ? t`No answer came. The row below shows what stands; repeating does nothing twice.`
          : errorText(error)
      toast.error(t`Order #${id} was not changed`, words)
      void client.invalidateQueries({ queryKey: ['orders'] })
    },
  })

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
      title={titles[decision]}
      danger={decision !== 'approve'}
      confirm={confirms[decision]}
      loading={decide.isPending}
      onConfirm={() => decide.mutate()}
    >
      <Consequences decision={decision} order={order} />
      <Field label={t`Note for the record`} optional={t`optional`} className="mt-4">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}

function Consequences({ decision, order }: Asked) {
  const symbol = useSymbol()
  const tokens = <TokenAmount value={order.receiveTokens} unit={symbol} className="text-ink" />
  const crypto = <TokenAmount value={order.cryptoAmount} unit={order.currency} className="text-ink" />
  const usd = <Money value={order.usd} className="text-ink" />
  const email = <strong className="text-ink">{order.email}</strong>
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {decision === 'approve' ? (
        <>
          <li>
            <Trans>
              {email} is credited {tokens}, once.
            </Trans>
          </li>
          <li>
            <Trans>{usd} count as raised, publicly marked “approved by an operator”.</Trans>
          </li>
          <li>
            <Trans>Check first that {crypto} arrived. The buyer is told by mail.</Trans>
          </li>
          {order.held ? null : (
            <li>
              <Trans>It holds nothing any more: it is refused if too little is left of the stage.</Trans>
            </li>
          )}
        </>
      ) : null}
      {decision === 'reject' ? (
        <>
          {order.status === 'approved' ? (
            <>
              <li>
                <Trans>
                  {tokens} are taken back from {email}, exactly what was credited.
                </Trans>
              </li>
              <li>
                <Trans>{usd} no longer count as raised.</Trans>
              </li>
            </>
          ) : (
            <li>
              <Trans>
                The order of {email} over {tokens} is rejected and what it holds is set free.
              </Trans>
            </li>
          )}
          <li>
            <Trans>The buyer is told by mail. It can be approved again later.</Trans>
          </li>
        </>
      ) : null}
      {decision === 'hide' ? (
        <>
          <li>
            <Trans>It leaves the lists of operators; its buyer sees it as withdrawn by the operator.</Trans>
          </li>
          <li>
            <Trans>Ledger and audit log keep everything. It can be undone.</Trans>
          </li>
        </>
      ) : null}
    </ul>
  )
}

/** Puts a deleted order back. */
export function useUnhide() {
  const { t } = useLingui()
  return useChange({
    run: (id: number) => act(operatorOrderRoutes.unhide, { params: { id } }),
    touches,
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
