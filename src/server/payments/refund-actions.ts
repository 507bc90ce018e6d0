import { z } from 'zod'
import type { OperatorRefund } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { networks } from '../../shared/networks.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { allOfRefundAddress, openRefundAddress, type Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { prepareInput, prepareRefunds } from './refund-files.ts'
import {
  type OperatorRefundRow,
  operatorRefund,
  type RefundView,
  selectOperatorRefunds,
} from './refund-rows.ts'

const refundInput = z.object({
  refundId: z.string(),
  /** As shown to the second operator; a different address or transaction is a `conflict`. */
  seen: z.object({ address: z.string(), transactionId: z.string().nullable() }).optional(),
})
const sentInput = schemas.refundSent.body.extend(refundInput.shape)
type SentInput = z.output<typeof sentInput>
const paidInput = schemas.refundPaid.body.extend(refundInput.shape)
const sendersInput = schemas.setRefundSenders.body.extend({
  network: z.enum(networks),
})
type SendersInput = z.output<typeof sendersInput>

export const refundActions = (view: RefundView) => ({
  'refund.prepare': defineAction({
    name: 'refund.prepare',
    input: prepareInput,
    execute: (unit, input) => prepareRefunds(unit, view.secrets, input),
  }),
  'refund.sent': defineAction({
    name: 'refund.sent',
    input: sentInput,
    needsApproval: (tx, input) => showTransaction(tx, view.secrets, input),
    showsSealed: showAddress,
    execute: (unit, input) => noteSent(unit, input, view),
  }),
  /** By a transaction that no watcher can match. */
  'refund.paid': defineAction({
    name: 'refund.paid',
    input: paidInput,
    needsApproval: (tx, input) => showTransaction(tx, view.secrets, input),
    showsSealed: showAddress,
    execute: (unit, input) => notePaid(unit, input, view),
  }),
  /** Addresses that pay refunds on an EVM chain. */
  'chain.refund-senders': defineAction({
    name: 'chain.refund-senders',
    input: sendersInput,
    needsApproval: showSenders,
    execute: setSenders,
  }),
})

/** The order first, as in settling. */
async function lockRefund(tx: Queryable, id: string): Promise<OperatorRefundRow> {
  await tx.query(
    sql`select 1 from orders where id = (select order_id from refunds where id = ${id}) for update`,
  )
  const row = await tx.maybeOne<OperatorRefundRow>(
    sql`${selectOperatorRefunds} where r.id = ${id} for update of r`,
  )
  return row ?? refuse('refund_unknown')
}

/** Locked until the transaction ends. Errors: refund_unknown, conflict if it changed since it was shown. */
async function lockSeen(
  tx: Queryable,
  { refundId, transactionId, seen }: SentInput,
  view: RefundView,
): Promise<OperatorRefundRow> {
  const refund = await lockRefund(tx, refundId)
  if (!seen) return refund
  const address = openRefundAddress(view.secrets, refund) ?? ''
  const isNamed = [seen.transactionId, transactionId.toLowerCase()].includes(refund.transaction_id)
  if (address !== seen.address || !isNamed) refuse('conflict', { current: operatorRefund(refund, view) })
  return refund
}

async function noteSent(unit: UnitOfWork, input: SentInput, view: RefundView): Promise<OperatorRefund> {
  const { refundId, transactionId } = input
  const refund = await lockSeen(unit, input, view)
  const address = openRefundAddress(view.secrets, refund)
  if (address === null) refuse(refund.address === null ? 'refund_state' : 'unavailable')
  const all = allOfRefundAddress(view.secrets, refund.chain, address)
  const sent = await unit.maybeOne(
    sql`select id from name_refund_transaction(${refundId}, ${transactionId.toLowerCase()}, ${all}) as id where id is not null`,
  )
  if (!sent) refuse('refund_state')
  await unit.audit('refund.sent', { type: 'refund', id: refundId }, { after: { transactionId } })
  return operatorRefund(await lockRefund(unit, refundId), view)
}

async function notePaid(
  unit: UnitOfWork,
  input: z.output<typeof paidInput>,
  view: RefundView,
): Promise<OperatorRefund> {
  const { refundId, transactionId, reason } = input
  await lockSeen(unit, input, view)
  const paid = await unit.maybeOne(
    sql`select id from pay_refund_by_word(${refundId}, ${transactionId.toLowerCase()}) as id where id is not null`,
  )
  if (!paid) refuse('refund_state')
  await unit.audit('refund.paid', { type: 'refund', id: refundId }, { after: { transactionId, reason } })
  return operatorRefund(await lockRefund(unit, refundId), view)
}

// Rules: TWO-6
async function showTransaction(
  tx: Queryable,
  secrets: Secrets,
  input: SentInput & { readonly reason?: string },
): Promise<ApprovalDraft> {
  const { refundId, transactionId, reason } = input
  const row =
    (await tx.maybeOne<OperatorRefundRow>(sql`${selectOperatorRefunds} where r.id = ${refundId}`)) ??
    refuse('refund_unknown')
  const address = openRefundAddress(secrets, row) ?? ''
  return {
    subject: { type: 'refund', id: refundId },
    summary: {
      buyer: row.user_reference,
      amount: `${row.amount} ${row.currency}`,
      ...(row.transaction_id !== null && { before: row.transaction_id }),
      transaction: transactionId,
      ...(reason !== undefined && { reason }),
    },
    keep: { input: { ...input, seen: { address, transactionId: row.transaction_id } } },
  }
}

/** The address is stored encrypted only. */
const showAddress = ({ seen }: SentInput) => (seen ? { address: seen.address } : {})

interface SendersRow {
  readonly refund_senders: string[]
  readonly revision: number
}

async function readSenders(tx: Queryable, network: string): Promise<SendersRow> {
  const row = await tx.maybeOne<SendersRow>(
    sql`select refund_senders, revision from chains where name = ${network} and family = 'evm'`,
  )
  return row ?? refuse('chain_unknown')
}

/** Errors: conflict if the chain changed since it was seen. */
function refuseOtherSenders(network: string, stands: SendersRow, seen: number | undefined): void {
  const { refund_senders: refundSenders, revision } = stands
  if (seen !== undefined && seen !== revision)
    refuse('conflict', { current: { network, refundSenders, revision } })
}

async function setSenders(unit: UnitOfWork, { network, addresses, revision }: SendersInput) {
  await unit.query(sql`select 1 from chains where name = ${network} for update`)
  const stands = await readSenders(unit, network)
  refuseOtherSenders(network, stands, revision)
  const before = stands.refund_senders
  const refundSenders = [...new Set(addresses.map((address) => address.toLowerCase()))]
  await unit.query(
    sql`update chains set refund_senders = ${refundSenders}, revision = revision + 1 where name = ${network}`,
  )
  await unit.audit(
    'chain.refund-senders',
    { type: 'chain', id: network },
    {
      before: { senders: before },
      after: { senders: refundSenders },
    },
  )
  return { network, refundSenders }
}

async function showSenders(tx: Queryable, input: SendersInput): Promise<ApprovalDraft> {
  const { network, addresses } = input
  const stands = await readSenders(tx, network)
  refuseOtherSenders(network, stands, input.revision)
  const { refund_senders: before, revision } = stands
  return {
    subject: { type: 'chain', id: network },
    summary: { network, before: before.join(', '), addresses: addresses.join(', ') },
    keep: { input: { network, addresses, revision } },
  }
}
