import { z } from 'zod'
import { coinInput } from '../../shared/api/amount-inputs.ts'
import { isZero } from '../../shared/money.ts'
import { type OrderStatus, orderStatuses } from '../../shared/order-states.ts'
import { wordsOf } from '../../shared/texts-inputs.ts'
import { type Alone, type ApprovalDraft, defineAction, type Published } from '../actions/actions.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Actor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type Outcome, refuseOutcome } from './outcome.ts'

const decision = z.object({
  orderId: z.string(),
  reason: wordsOf(z.string()).optional(),
  /**
   * As the operator saw it. Another status is `order_changed`, unless the order already has the wanted one.
   */
  seen: z.enum(orderStatuses).optional(),
  /** As shown to the second operator, null if none. Absent: not compared. */
  named: z.string().nullable().optional(),
})
const grantInput = z.object({ userId: z.string(), amount: z.string(), reason: z.string() })
const reversal = z.object({ postingId: z.string() })

const rejection = decision.extend({
  /** Received at a fixed address, in the order's coin. Default: an approved order's amount, else 0. */
  came: coinInput.optional(),
})

export type OrderDecision = z.output<typeof decision>
type Rejection = z.output<typeof rejection>

export interface LedgerActionsNeeds {
  readonly approveShared: (actor: Actor, decision: OrderDecision) => Promise<boolean>
}

/** Each runs one SQL function, whose header lists its rules and errors. */
export const ledgerActions = ({ approveShared }: LedgerActionsNeeds) => ({
  /** At a fixed address, once. Returns false if approved already. */
  'order.approve': defineAction({
    name: 'order.approve',
    input: decision,
    needsApproval: approvalForPayment,
    publishes: reasonOf,
    execute: approveOrder,
    executeAlone: approveShared,
  }),
  /**
   * Final: reverses the order's credit and owes its payments back. Needs approval if the order is approved, a
   * payment arrived, the buyer named a transaction at a fixed address, or `came` is above 0.
   */
  'order.reject': defineAction({
    name: 'order.reject',
    input: rejection,
    needsApproval: approvalForTakingBack,
    publishes: reasonOf,
    execute: rejectOrder,
  }),
  /** From the bonus share. Returns the posting's id; null for 0, which writes nothing. */
  'grant.add': defineAction({
    name: 'grant.add',
    input: grantInput,
    needsApproval: showGrant,
    execute: grantTokens,
  }),
  /** By new entries. Returns the new posting's id. */
  'grant.reverse': defineAction({
    name: 'grant.reverse',
    input: reversal,
    needsApproval: showReversal,
    execute: reverseGrant,
  }),
})

const reasonOf = async (
  _tx: Queryable,
  { orderId, reason }: OrderDecision,
): Promise<Published | undefined> =>
  reason
    ? {
        subject: { type: 'order', id: orderId },
        pieces: [{ now: reason, name: 'reason' }],
        summary: { order: `#${orderId}` },
      }
    : undefined

async function approveOrder(
  unit: UnitOfWork,
  { orderId, reason, seen, named }: OrderDecision,
): Promise<boolean> {
  const { actor } = unit
  await lockAsShown(unit, orderId, named)
  return refuseOutcome(
    await unit.one<Outcome>(
      sql`select refusal, changed
            from approve_orders(array[row(${orderId}, ${seen ?? null}, ${actor.operatorId}, ${reason ?? null},
                                          ${actor.requestId})::approval], 'operator')`,
    ),
  )
}

async function lockAsShown(unit: UnitOfWork, orderId: string, named?: string | null): Promise<void> {
  if (named === undefined) return
  const order = await unit.maybeOne<{ transaction_id: string | null }>(
    sql`select transaction_id from orders where id = ${orderId} for update`,
  )
  if (order && order.transaction_id !== named) refuse('order_changed')
}

async function rejectOrder(
  unit: UnitOfWork,
  { orderId, reason, seen, came, named }: Rejection,
): Promise<boolean> {
  const { actor } = unit
  await lockAsShown(unit, orderId, named)
  return refuseOutcome(
    await unit.one<Outcome>(
      sql`select refusal, changed
            from reject_order(${orderId}, ${actor.operatorId}, ${reason ?? null}, ${actor.requestId}, ${came ?? null}::numeric,
                              ${seen ?? null})`,
    ),
  )
}

async function grantTokens(
  unit: UnitOfWork,
  { userId, amount, reason }: z.output<typeof grantInput>,
): Promise<string | null> {
  const { actor } = unit
  const once = actor.kind === 'operator' ? actor.once : undefined
  const outcome = await unit.one<{ refusal: Outcome['refusal']; posting_id: string | null }>(
    sql`select refusal, posting_id
          from grant_tokens(${userId}, ${amount}, row(${actor.operatorId}, ${reason}, ${actor.requestId},
                                                      ${once?.key ?? null}, ${once?.hash ?? null})::granted_by)`,
  )
  if (outcome.refusal) refuse(outcome.refusal)
  return outcome.posting_id
}

async function reverseGrant(unit: UnitOfWork, { postingId }: z.output<typeof reversal>): Promise<string> {
  const { actor } = unit
  const outcome = await unit.one<{ refusal: Outcome['refusal']; posting_id: string }>(
    sql`select refusal, posting_id from reverse_grant(${postingId}, ${actor.operatorId}, ${actor.requestId})`,
  )
  if (outcome.refusal) refuse(outcome.refusal)
  return outcome.posting_id
}

interface OrderFacts {
  currency: string
  crypto_amount: string
  usd: string
  receive_tokens: string
  status: OrderStatus
  watched: boolean
  transaction_id: string | null
  also_named_by: string | null
  is_paid: boolean
  approval_over: boolean
}

const alsoNamedBy = fragment`
  (select string_agg('#' || x.id, ', ' order by x.id) from orders x
    where x.transaction_id = o.transaction_id and x.id <> o.id) as also_named_by`

const orderSummary = ({ orderId, reason }: OrderDecision, order: OrderFacts) => ({
  order: `#${orderId}`,
  amount: `${order.crypto_amount} ${order.currency}`,
  usd: order.usd,
  tokens: order.receive_tokens,
  status: order.status,
  ...(order.transaction_id && { transaction: order.transaction_id }),
  ...(order.also_named_by && { alsoNamedBy: order.also_named_by }),
  ...(reason ? { reason } : {}),
})

/**
 * An approved order needs no second operator: nothing changes. `seen: 'approved'` makes `execute` fail with
 * `order_changed` after a rejection meanwhile.
 */
async function approvalForPayment(
  tx: Queryable,
  { orderId, reason, seen }: OrderDecision,
): Promise<ApprovalDraft | Alone<OrderDecision>> {
  const order = await tx.maybeOne<OrderFacts>(
    sql`select o.currency, o.crypto_amount, o.usd, o.base_tokens + o.bonus_tokens as receive_tokens, o.status,
               o.watched, o.transaction_id, ${alsoNamedBy}, false as is_paid, approval_is_over(o.expires_at, clock_timestamp()) as approval_over
          from orders o where o.id = ${orderId}`,
  )
  // An order created before `execute` would be approved by one operator.
  if (!order) return refuse('order_unknown')
  if (order.status === 'approved') return { alone: { orderId, reason, seen: 'approved' } }
  if (seen && order.status !== seen) refuse('order_changed')
  if (order.watched) refuse('order_on_chain')
  if (order.status !== 'pending') refuse('order_state')
  if (order.approval_over) refuse('approval_over')
  return {
    subject: { type: 'order', id: orderId },
    summary: orderSummary({ orderId, reason }, order),
    // The buyer can name another one before the confirmation.
    keep: { input: { orderId, reason, seen, named: order.transaction_id } },
  }
}

// Rules: TWO-3
/**
 * Rejecting an approved or paid order takes tokens or owes money. The order must be unchanged at execution.
 */
async function approvalForTakingBack(
  tx: Queryable,
  { orderId, reason, seen, came }: Rejection,
): Promise<ApprovalDraft | Alone<Rejection>> {
  const order = await tx.maybeOne<OrderFacts>(
    sql`select o.currency, o.crypto_amount, o.usd, o.base_tokens + o.bonus_tokens as receive_tokens, o.status,
               o.watched, o.transaction_id, ${alsoNamedBy}, exists (select from payments p where p.order_id = o.id and p.alive and p.amount > p.owed) as is_paid,
               false as approval_over
          from orders o where o.id = ${orderId}`,
  )
  if (!order) return refuse('order_unknown')
  const { status } = order
  if (seen && status !== seen && status !== 'rejected') refuse('order_changed')
  const asItStands = { orderId, reason, seen: status, came }
  const isSaidPaid = !order.watched && (order.transaction_id !== null || status === 'rejected')
  const owes = (status === 'pending' && order.is_paid) || isSaidPaid || (came !== undefined && !isZero(came))
  const isRepeated = status === 'rejected' && (came === undefined || isZero(came))
  if (isRepeated || (status !== 'approved' && !owes))
    return { alone: { ...asItStands, named: order.transaction_id } }
  return {
    subject: { type: 'order', id: orderId },
    summary: {
      ...orderSummary({ orderId, reason }, order),
      ...(came !== undefined && { came: `${came} ${order.currency}` }),
    },
    keep: { input: { ...asItStands, named: order.transaction_id } },
  }
}

// Rules: TWO-2
async function showGrant(
  tx: Queryable,
  input: z.output<typeof grantInput>,
): Promise<ApprovalDraft | Alone<z.output<typeof grantInput>>> {
  const { userId, amount, reason } = input
  if (isZero(amount)) return { alone: input }
  const user = await tx.maybeOne<{ reference: string }>(sql`select reference from users where id = ${userId}`)
  if (!user) return refuse('user_unknown')
  return {
    subject: { type: 'user', id: userId },
    summary: { user: user.reference, amount, ...(reason ? { reason } : {}) },
  }
}

/** A grant posted before `execute` would be reversed by one operator. */
async function showReversal(tx: Queryable, { postingId }: z.output<typeof reversal>): Promise<ApprovalDraft> {
  const grant = await tx.maybeOne<{ user_id: string; reference: string; amount: string }>(
    sql`select p.user_id, u.reference, e.amount
          from postings p join users u on u.id = p.user_id join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
         where p.id = ${postingId} and p.kind = 'grant'`,
  )
  if (!grant) return refuse('grant_unknown')
  return {
    subject: { type: 'user', id: grant.user_id },
    summary: { user: grant.reference, amount: grant.amount },
  }
}
