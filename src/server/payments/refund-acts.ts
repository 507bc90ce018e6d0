import { z } from 'zod'
import { evmNetworks, type Network } from '../../shared/api/currencies.ts'
import type { OperatorRefund } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { act, type Waiting } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type BitcoinNetwork, bitcoinNetworks } from './bitcoin/networks.ts'
import type { ExplorerUrl } from './payment-rows.ts'
import { type OperatorRefundRow, operatorRefund, selectOperatorRefunds } from './refund-rows.ts'
import { unsignedTransaction } from './unsigned-transaction.ts'

const FEE_PER_VBYTE = 10

const prepareInput = schemas.prepareRefunds.body
const sentInput = schemas.refundSent.body.extend({ refundId: z.string() })
type SentInput = z.output<typeof sentInput>

/** What an operator signs in their own wallet. */
export interface Prepared {
  readonly format: 'psbt' | 'csv'
  readonly fileName: string
  readonly content: string
  readonly count: number
  readonly refundIds: string[]
}

/** What operators can do about refunds whose buyers have named an address. */
export const refundActs = (explorerUrl: ExplorerUrl) => ({
  /** Refuses refund_unknown (nothing is claimed), refund_funds_missing. */
  'refund.prepare': act({ name: 'refund.prepare', input: prepareInput, perform: prepare }),
  /** Names the transaction that sends a refund. Refuses refund_unknown, refund_state. */
  'refund.sent': act({
    name: 'refund.sent',
    input: sentInput,
    waits: showSent,
    perform: (change, input) => noteSent(change, input, explorerUrl),
  }),
})

async function prepare(change: Change, want: z.output<typeof prepareInput>): Promise<Prepared> {
  const ids = want.refundIds ?? null
  const due = await change.query<OperatorRefundRow>(
    sql`${selectOperatorRefunds} where r.chain = ${want.network} and r.state in ('claimed', 'prepared')
         and (${ids}::bigint[] is null or r.id = any(${ids}::bigint[])) order by r.id for update of r`,
  )
  if (due.length === 0) refuse('refund_unknown')
  const isPsbt = want.format === 'psbt' && bitcoinNetworks.includes(want.network)
  const content = isPsbt
    ? await unsignedTransaction(
        change,
        want.network as BitcoinNetwork,
        due,
        want.feePerVbyte ?? FEE_PER_VBYTE,
      )
    : csvOf(want.network, due)
  const format = isPsbt ? ('psbt' as const) : ('csv' as const)
  const refundIds = due.map((row) => row.id)
  await change.query(
    sql`update refunds set state = 'prepared', prepared_at = coalesce(prepared_at, clock_timestamp())
         where id = any(${refundIds}::bigint[])`,
  )
  for (const id of refundIds)
    await change.audit('refund.prepare', { type: 'refund', id }, { after: { format: want.format } })
  const fileName = `refunds-${want.network}-${refundIds[0]}.${format}`
  return { format, fileName, content, count: due.length, refundIds }
}

/** One line a refund. EVM chains: the form that Safe's CSV app imports; others: address, amount and what it is. */
function csvOf(network: Network, due: readonly OperatorRefundRow[]): string {
  const isEvm = evmNetworks.includes(network)
  const header = isEvm ? 'token_type,token_address,receiver,amount,id' : 'address,amount,currency,refund'
  const lines = due.map((row) => {
    const contract = row.token_contract ?? ''
    const fields = isEvm
      ? [contract ? 'erc20' : 'native', contract, row.address ?? '', row.amount, row.id]
      : [row.address ?? '', row.amount, row.currency, row.id]
    return fields.join(',')
  })
  return [header, ...lines, ''].join('\n')
}

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
    sql`select id from mark_refund_sent(${refundId}, ${transactionId.toLowerCase()}) as id where id is not null`,
  )
  if (!sent) refuse('refund_state')
  await change.audit('refund.sent', { type: 'refund', id: refundId }, { after: { transactionId } })
  return operatorRefund(await lockRefund(change, refundId), explorerUrl)
}

/** A second operator is shown what is owed to whom, and the transaction that is said to send it. */
async function showSent(tx: Queryable, { refundId, transactionId }: SentInput): Promise<Waiting> {
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
    },
  }
}
