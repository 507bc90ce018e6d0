import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Statement } from '../database/database.ts'
import type { Exchange } from './exchange.ts'

/**
 * Answers `{"status":"success","{name}":[…]}` page by page, so that a list of any length takes constant memory. The statement
 * takes the last id of the page before.
 */
export function streamRows<Row extends { id: string }>(
  { context, reply }: Exchange,
  name: string,
  page: Statement,
  shape: (row: Row) => unknown,
): FastifyReply {
  async function* pages() {
    yield `{"status":"success","${name}":[`
    let after = '0'
    let isFirst = true
    for (;;) {
      const rows = await context.db.query<Row>(page, [after])
      for (const row of rows) {
        yield (isFirst ? '' : ',') + JSON.stringify(shape(row))
        isFirst = false
      }
      const last = rows.at(-1)
      if (!last || rows.length < 1000) break
      after = last.id
    }
    yield ']}'
  }
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(Readable.from(pages()))
}
