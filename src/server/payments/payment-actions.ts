import { z } from 'zod'
import type { OperatorPayment } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { isZero } from '../../shared/money.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type ExplorerUrl, operatorPayment, readPayment } from './payment-rows.ts'

const byPayment = z.object({
  paymentId: z.string(),
  /** The payment shown to the second operator; a different amount is a `conflict`. */
  seen: z.object({ amount: z.string() }).optional(),
})
type ByPayment = z.output<typeof byPayment>
const writeOffInput = schemas.writeOffPayment.body.extend(byPayment.shape)
const attachment = byPayment.extend({ orderId: z.string() })
type Attachment = z.output<typeof attachment>

// Rules: SETTLE-32
export const paymentActions = (explorerUrl: ExplorerUrl) => ({
  /**
   * Assigns a payment without an order to an order of its currency created before it was seen. Errors: order_unknown,
   * payment_unknown, conflict, payment_state, order_state.
   */
  'payment.attach': defineAction({
    name: 'payment.attach',
    input: attachment,
    needsApproval: showAttachment,
    execute: async (unit, input): Promise<OperatorPayment> => {
      await attach(unit, input)
      return operatorPayment(await readPayment(unit, input.paymentId), explorerUrl)
    },
  }),
  /**
   * Writes off a payment that belongs to nobody, such as an airdrop or unlisted token. Errors: payment_unknown, conflict,
   * payment_state.
   */
  'payment.write-off': defineAction({
    name: 'payment.write-off',
    input: writeOffInput,
    needsApproval: showWriteOff,
    execute: async (unit, input): Promise<OperatorPayment> => {
      await writeOff(unit, input)
      return operatorPayment(await readPayment(unit, input.paymentId), explorerUrl)
    },
  }),
  /** Owes the payment back to the buyer of its address. Errors: payment_unknown, conflict, payment_state. */
  'payment.refund': defineAction({
    name: 'payment.refund',
    input: byPayment,
    needsApproval: showRefund,
    execute: async (unit, input): Promise<OperatorPayment> => {
      await refund(unit, input)
      return operatorPayment(await readPayment(unit, input.paymentId), explorerUrl)
    },
  }),
})

async function writeOff(
  unit: UnitOfWork,
  { paymentId, seen, reason }: z.output<typeof writeOffInput>,
): Promise<void> {
  const payment = await lockPayment(unit, { paymentId, seen })
  if (payment.fault === null || !isZero(payment.owed) || payment.is_written_off) refuse('payment_state')
  await unit.query(
    sql`update payments set written_off_at = clock_timestamp(), written_off_reason = ${reason} where id = ${paymentId}`,
  )
  await unit.audit('payment.write-off', { type: 'payment', id: paymentId }, { after: { reason } })
}

interface LockedPayment {
  order_id: string | null
  fault: string | null
  failed: boolean
  owed: string
  amount: string
  user_id: string | null
  currency_id: number | null
  block_height: string | null
  first_seen: Date
  is_enough: boolean
  replaced_by: string | null
  orphaned_at: Date | null
  is_written_off: boolean
}

/**
 * The payment, locked until the transaction ends. Dust, and a payment returned by an escrow, can't be owed or assigned.
 * Errors: payment_unknown, conflict if it changed since it was shown.
 */
async function lockPayment(unit: UnitOfWork, { paymentId, seen }: ByPayment): Promise<LockedPayment> {
  const row = await unit.maybeOne<LockedPayment>(
    sql`select p.order_id, case when p.fault in ('wrong_asset', 'unmatched') then p.fault end as fault, p.failed, p.owed, p.amount, p.user_id, p.currency_id, p.block_height,
               first_seen_of(p) as first_seen,
               payment_lacks(p, p.confirmations, c) is null as is_enough, p.replaced_by, p.orphaned_at,
               p.written_off_at is not null as is_written_off
          from payments p join chains c on c.name = p.chain where p.id = ${paymentId} for update of p`,
  )
  if (!row) refuse('payment_unknown')
  if (seen && seen.amount !== row.amount) refuse('conflict')
  return row
}

async function attach(unit: UnitOfWork, { paymentId, orderId, seen }: Attachment): Promise<void> {
  // Block times are whole seconds.
  const order =
    (await unit.maybeOne<{ currency_id: number; user_id: string; created_at: Date; may_get: boolean }>(
      sql`select o.currency_id, o.user_id, date_trunc('second', o.created_at) as created_at, o.watched and o.status = 'pending' and o.escrow_id is null as may_get
            from orders o where o.id = ${orderId} for update of o`,
    )) ?? refuse('order_unknown')
  const payment = await lockPayment(unit, { paymentId, seen })
  const isDecided =
    payment.fault !== 'unmatched' || payment.failed || !isZero(payment.owed) || payment.is_written_off
  if (isDecided || payment.currency_id !== order.currency_id) refuse('payment_state')
  if (!order.may_get || order.created_at > payment.first_seen) refuse('order_state')
  await unit.query(
    sql`update payments set order_id = ${orderId}, user_id = ${order.user_id}, fault = null, final_at = null where id = ${paymentId}`,
  )
  await unit.query(sql`update payments p set late_rate = late_rate_of(p) where p.id = ${paymentId}`)
  await unit.noteOrderEvent(orderId, 'payment_attached', { payment: paymentId })
  await unit.query(sql`select settle_order(${orderId})`)
  await unit.audit('payment.attach', { type: 'payment', id: paymentId }, { after: { order: orderId } })
}

async function refund(unit: UnitOfWork, input: ByPayment): Promise<void> {
  const { paymentId } = input
  const payment = await lockPayment(unit, input)
  const isLost =
    payment.failed ||
    payment.replaced_by !== null ||
    payment.orphaned_at !== null ||
    payment.block_height === null
  if (
    payment.fault === null ||
    isLost ||
    !isZero(payment.owed) ||
    !payment.is_enough ||
    payment.is_written_off
  )
    refuse('payment_state')
  // An unlisted token's value is unknown, so it is never owed.
  if (payment.currency_id === null || payment.user_id === null) refuse('payment_state')
  await unit.query(
    sql`select owe_refund(${paymentId}, ${payment.user_id}, ${payment.amount}, ${payment.fault})`,
  )
  await unit.audit('payment.refund', { type: 'payment', id: paymentId })
}

// Rules: TWO-6
async function showAttachment(tx: Queryable, { paymentId, orderId }: Attachment): Promise<ApprovalDraft> {
  const order =
    (await tx.maybeOne<{ due: string; reference: string }>(
      sql`select o.crypto_amount || ' ' || o.currency as due, u.reference
            from orders o join users u on u.id = o.user_id where o.id = ${orderId}`,
    )) ?? refuse('order_unknown')
  const { facts, seen } = await paymentFacts(tx, paymentId)
  return {
    subject: { type: 'payment', id: paymentId },
    summary: { order: `#${orderId}`, buyer: order.reference, due: order.due, ...facts },
    keep: { input: { paymentId, orderId, seen } },
  }
}

async function showRefund(tx: Queryable, { paymentId }: ByPayment): Promise<ApprovalDraft> {
  const { user_reference } = await readPayment(tx, paymentId)
  const { facts, seen } = await paymentFacts(tx, paymentId)
  return {
    subject: { type: 'payment', id: paymentId },
    summary: { buyer: user_reference ?? '', ...facts },
    keep: { input: { paymentId, seen } },
  }
}

async function showWriteOff(
  tx: Queryable,
  { paymentId, reason }: z.output<typeof writeOffInput>,
): Promise<ApprovalDraft> {
  const { facts, seen } = await paymentFacts(tx, paymentId)
  return {
    subject: { type: 'payment', id: paymentId },
    summary: { ...facts, reason },
    keep: { input: { paymentId, reason, seen } },
  }
}

async function paymentFacts(tx: Queryable, paymentId: string) {
  const row = await readPayment(tx, paymentId)
  const facts = {
    amount: `${row.amount} ${row.currency ?? row.asset}`,
    transaction: row.transaction_id,
    address: row.address,
  }
  return { facts, seen: { amount: row.amount } }
}
