import { z } from 'zod'
import { networks } from '../../shared/api/currencies.ts'
import type { OperatorRefund } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { act, type Waiting } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { ExplorerUrl } from './payment-rows.ts'
import { prepareInput, prepareRefunds } from './refund-files.ts'
import { type OperatorRefundRow, operatorRefund, selectOperatorRefunds } from './refund-rows.ts'

const sentInput = schemas.refundSent.body.extend({ refundId: z.string() })
type SentInput = z.output<typeof sentInput>
const paidInput = schemas.refundPaid.body.extend({ refundId: z.string() })
const writeOffInput = schemas.writeOffRefund.body.extend({ refundId: z.string() })
type WriteOffInput = z.output<typeof writeOffInput>
const sendersInput = schemas.setRefundSenders.body.extend({ network: z.enum(networks) })
type SendersInput = z.output<typeof sendersInput>

interface RefundActsNeeds {
  readonly secrets: Secrets
  readonly explorerUrl: ExplorerUrl
}

/** What operators can do about refunds whose buyers have named an address. */
export const refundActs = ({ secrets, explorerUrl }: RefundActsNeeds) => ({
  /** Refuses refund_unknown (nothing is claimed), refund_prepared, refund_funds_missing, refund_too_small. */
  'refund.prepare': act({
    name: 'refund.prepare',
    input: prepareInput,
    perform: (change, input) => prepareRefunds(change, secrets, input),
  }),
  /** Names the transaction that sends a refund. Refuses refund_unknown, refund_state. */
  'refund.sent': act({
    name: 'refund.sent',
    input: sentInput,
    waits: showTransaction,
    perform: (change, input) => noteSent(change, input, explorerUrl),
  }),
  /** Says that a refund was paid by a transaction which no watcher can match. Refuses refund_unknown, refund_state. */
  'refund.paid': act({
    name: 'refund.paid',
    input: paidInput,
    waits: showTransaction,
    perform: (change, input) => notePaid(change, input, explorerUrl),
  }),
  /** Says that nothing was paid behind an approval that was taken back. Refuses refund_unknown, refund_state. */
  'refund.write-off': act({
    name: 'refund.write-off',
    input: writeOffInput,
    waits: showWriteOff,
    perform: (change, input) => writeOff(change, input, explorerUrl),
  }),
  /** Sets from which addresses of an EVM chain refunds are paid. Refuses chain_unknown. */
  'chain.refund-senders': act({
    name: 'chain.refund-senders',
    input: sendersInput,
    waits: showSenders,
    perform: setSenders,
  }),
})

async function lockRefund(tx: Queryable, id: string): Promise<OperatorRefundRow> {
  const row = await tx.maybeOne<OperatorRefundRow>(
    sql`${selectOperatorRefunds} where r.id = ${id} for update of r`,
  )
  return row ?? refuse('refund_unknown')
}

async function noteSent(
  change: Change,
  { refundId, transactionId }: SentInput,
  explorerUrl: ExplorerUrl,
): Promise<OperatorRefund> {
  await lockRefund(change, refundId)
  const sent = await change.maybeOne(
    sql`select id from name_refund_transaction(${refundId}, ${transactionId.toLowerCase()}) as id where id is not null`,
  )
  if (!sent) refuse('refund_state')
  await change.audit('refund.sent', { type: 'refund', id: refundId }, { after: { transactionId } })
  return operatorRefund(await lockRefund(change, refundId), explorerUrl)
}

async function notePaid(
  change: Change,
  { refundId, transactionId, reason }: z.output<typeof paidInput>,
  explorerUrl: ExplorerUrl,
): Promise<OperatorRefund> {
  await lockRefund(change, refundId)
  const paid = await change.maybeOne(
    sql`select id from pay_refund_by_word(${refundId}, ${transactionId.toLowerCase()}) as id where id is not null`,
  )
  if (!paid) refuse('refund_state')
  await change.audit('refund.paid', { type: 'refund', id: refundId }, { after: { transactionId, reason } })
  return operatorRefund(await lockRefund(change, refundId), explorerUrl)
}

async function writeOff(
  change: Change,
  { refundId, reason }: WriteOffInput,
  explorerUrl: ExplorerUrl,
): Promise<OperatorRefund> {
  // Its order before it, as whoever settles locks them.
  await change.query(
    sql`select 1 from orders where id = (select order_id from refunds where id = ${refundId}) for update`,
  )
  const refund = await lockRefund(change, refundId)
  // What a chain has shown is owed whatever anybody says.
  if (refund.payment_id !== null || refund.order_id === null || !['owed', 'claimed'].includes(refund.state))
    refuse('refund_state')
  await change.query(sql`select write_off_word(${refund.order_id})`)
  // What the word stood for while it was being paid is owed by itself now.
  await change.query(sql`select settle_order(${refund.order_id})`)
  await change.audit('refund.write-off', { type: 'refund', id: refundId }, { after: { reason } })
  return operatorRefund(await lockRefund(change, refundId), explorerUrl)
}

async function showWriteOff(tx: Queryable, { refundId, reason }: WriteOffInput): Promise<Waiting> {
  const row =
    (await tx.maybeOne<OperatorRefundRow>(sql`${selectOperatorRefunds} where r.id = ${refundId}`)) ??
    refuse('refund_unknown')
  return {
    subject: { type: 'refund', id: refundId },
    summary: {
      order: `#${row.order_id}`,
      buyer: row.user_reference,
      amount: `${row.amount} ${row.currency}`,
      reason,
    },
  }
}

/** A second operator is shown what is owed to whom, and the transaction that is said to send it. */
async function showTransaction(
  tx: Queryable,
  { refundId, transactionId, reason }: SentInput & { readonly reason?: string },
): Promise<Waiting> {
  const row =
    (await tx.maybeOne<OperatorRefundRow>(sql`${selectOperatorRefunds} where r.id = ${refundId}`)) ??
    refuse('refund_unknown')
  return {
    subject: { type: 'refund', id: refundId },
    summary: {
      buyer: row.user_reference,
      amount: `${row.amount} ${row.currency}`,
      address: row.address ?? '',
      transaction: transactionId,
      ...(reason !== undefined && { reason }),
    },
  }
}

async function readSenders(tx: Queryable, network: string): Promise<string[]> {
  const row = await tx.maybeOne<{ refund_senders: string[] }>(
    sql`select refund_senders from chains where name = ${network} and family = 'evm'`,
  )
  return row?.refund_senders ?? refuse('chain_unknown')
}

async function setSenders(change: Change, { network, addresses }: SendersInput) {
  const before = await readSenders(change, network)
  const refundSenders = [...new Set(addresses.map((address) => address.toLowerCase()))]
  await change.query(
    sql`update chains set refund_senders = ${refundSenders}, revision = revision + 1 where name = ${network}`,
  )
  await change.audit(
    'chain.refund-senders',
    { type: 'chain', id: network },
    {
      before: { senders: before },
      after: { senders: refundSenders },
    },
  )
  return { network, refundSenders }
}

/** A second operator is shown the addresses that refunds were and will be paid from. */
async function showSenders(tx: Queryable, { network, addresses }: SendersInput): Promise<Waiting> {
  const before = await readSenders(tx, network)
  return {
    subject: { type: 'chain', id: network },
    summary: { network, before: before.join(', '), addresses: addresses.join(', ') },
  }
}
