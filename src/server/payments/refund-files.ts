import { z } from 'zod'
import type { RefundFile } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { type CsvText, csvLine, joined } from '../../shared/csv.ts'
import { isCore, isEvm, type Network } from '../../shared/networks.ts'
import { type Database, fragment, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import {
  openRefundAddress,
  openRefundFile,
  type Secrets,
  type StoredText,
  storedRefundFile,
} from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type OperatorRefundRow, selectOperatorRefunds } from './refund-rows.ts'
import { unsignedTransaction } from './unsigned-transaction.ts'

const FEE_PER_VBYTE = 10
const FILES_SHOWN = 50

// Rules: REFUND-3, REFUND-6
export const prepareInput = schemas.prepareRefunds.body
type PrepareInput = z.output<typeof prepareInput>
type DueRefund = Omit<OperatorRefundRow, 'address'> & { readonly address: string }
type Prepared = z.output<typeof schemas.prepareRefunds.reply>

/** `leftOut`: refunds too small for a transaction. */
interface Content {
  readonly format: 'psbt' | 'csv'
  readonly content: string
  readonly inputs: readonly string[]
  readonly leftOut: readonly string[]
}

/** Errors: those of `refund.prepare`. */
export async function prepareRefunds(
  unit: UnitOfWork,
  secrets: Secrets,
  want: PrepareInput,
): Promise<Prepared> {
  const due = await lockDue(unit, secrets, want)
  const { format, content, inputs, leftOut } = await contentOf(unit, secrets, want, due)
  const refundIds = due.map(({ id }) => id).filter((id) => !leftOut.includes(id))
  const fileName = `refunds-${want.network}-${refundIds[0]}.${format}`
  const { id: fileId } = await unit.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('refund_files', 'id')) as id`,
  )
  await unit.query(
    sql`insert into refund_files (id, chain, format, file_name, content_sealed, inputs, operator_id) overriding system value
        values (${fileId}, ${want.network}, ${format}, ${fileName}, ${secrets.encrypt('refund-file', content, fileId)},
                ${[...inputs]}, ${unit.actor.operatorId})`,
  )
  await unit.query(
    sql`insert into refund_file_lines (file_id, refund_id) select ${fileId}, unnest(${refundIds}::bigint[])`,
  )
  await unit.query(
    sql`update refunds set state = case when state = 'sent' then 'sent' else 'prepared' end, prepared_at = clock_timestamp()
         where id = any(${refundIds}::bigint[])`,
  )
  for (const id of refundIds)
    await unit.audit(
      'refund.prepare',
      { type: 'refund', id },
      {
        after: { format, file: fileId, again: due.some((row) => row.id === id && row.prepared_at !== null) },
      },
    )
  return { format, fileName, content, count: refundIds.length, refundIds, fileId, leftOut: [...leftOut] }
}

// Rules: RIGHT-19
/**
 * Due (`refund_is_due`): the requested ones, or all unprepared ones. Errors: refund_unknown, refund_prepared
 * for one prepared before unless `again` is set, unavailable if no known `SECRET_KEY` opens an address.
 */
async function lockDue(unit: UnitOfWork, secrets: Secrets, want: PrepareInput): Promise<DueRefund[]> {
  const ids = want.refundIds ?? null
  const due = await unit.query<OperatorRefundRow>(
    sql`${selectOperatorRefunds} where r.chain = ${want.network}
         and refund_is_due(r)
         and case when ${ids}::bigint[] is null then r.state = 'claimed'
                  else r.id = any(${ids}::bigint[]) and (r.state in ('claimed', 'prepared') or (r.state = 'sent' and r.block_height is null)) end
         order by r.id for update of r`,
  )
  const [first] = due
  if (!first) refuse('refund_unknown')
  const before = due.find((row) => row.prepared_at !== null)
  if (before && !want.again)
    refuse('refund_prepared', {
      refundId: before.id,
      by: before.prepared_by,
      at: before.prepared_at?.toISOString(),
    })
  return due.map((row) => ({ ...row, address: openRefundAddress(secrets, row) ?? refuse('unavailable') }))
}

async function contentOf(
  unit: UnitOfWork,
  secrets: Secrets,
  want: PrepareInput,
  due: readonly DueRefund[],
): Promise<Content> {
  const { network } = want
  if (want.format === 'csv' || !isCore(network))
    return { format: 'csv', content: csvOf(network, due), inputs: [], leftOut: [] }
  return {
    format: 'psbt',
    ...(await unsignedTransaction(unit, secrets, network, due, want.feePerVbyte ?? FEE_PER_VBYTE)),
  }
}

/** One line for each refund. EVM chains: for Safe's CSV app; others: address, amount, currency and refund. */
function csvOf(network: Network, due: readonly DueRefund[]): CsvText {
  const isForSafe = isEvm(network)
  const header = isForSafe
    ? ['token_type', 'token_address', 'receiver', 'amount', 'id']
    : ['address', 'amount', 'currency', 'refund']
  const rows = due.map((row) => {
    const contract = row.token_contract ?? ''
    return isForSafe
      ? [contract ? 'erc20' : 'native', contract, row.address, row.amount, row.id]
      : [row.address, row.amount, row.currency, row.id]
  })
  return joined([header, ...rows].map((row) => csvLine(row, '\n')))
}

interface FileRow {
  id: string
  chain: Network
  format: 'psbt' | 'csv'
  file_name: string
  prepared_by: string | null
  prepared_at: Date
  refund_ids: string[]
}

const selectFiles = fragment`select f.id, f.chain, f.format, f.file_name, f.prepared_at, o.login as prepared_by,
         (select array_agg(l.refund_id::text order by l.refund_id) from refund_file_lines l where l.file_id = f.id) as refund_ids
    from refund_files f left join operators o on o.id = f.operator_id`

/** Newest first. */
export async function listRefundFiles(db: Database): Promise<RefundFile[]> {
  const rows = await db.query<FileRow>(sql`${selectFiles} order by f.id desc limit ${FILES_SHOWN}`)
  return rows.map((row) => ({
    id: row.id,
    network: row.chain,
    format: row.format,
    fileName: row.file_name,
    preparedBy: row.prepared_by,
    preparedAt: row.prepared_at.toISOString(),
    refundIds: row.refund_ids,
  }))
}

/** As first downloaded. Errors: refund_file_unknown, unavailable if no known `SECRET_KEY` opens the file. */
export async function readRefundFile(
  { db, secrets }: { readonly db: Database; readonly secrets: Secrets },
  id: string,
): Promise<{ fileName: string; content: string }> {
  const row = await db.maybeOne<{ id: string; file_name: string; content: StoredText }>(
    sql`select f.id, f.file_name, ${storedRefundFile} as content from refund_files f where f.id = ${id}`,
  )
  if (!row) refuse('refund_file_unknown')
  return { fileName: row.file_name, content: openRefundFile(secrets, row) ?? refuse('unavailable') }
}
