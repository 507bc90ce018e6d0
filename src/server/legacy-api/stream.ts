import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { fragmentOf, type Query } from '../database/database.ts'
import type { Exchange } from './exchange.ts'

const PAGE_SIZE = 1000
export const pageLimit = fragmentOf(`limit ${PAGE_SIZE}`)

/**
 * `{"status":"success","{name}":[…]}` in constant memory. `page` reads up to `PAGE_SIZE` rows after the given
 * id.
 */
export function streamRows<Row extends { id: string }>(
  { context, reply }: Exchange,
  name: string,
  page: (after: string) => Query,
  shape: (row: Row) => unknown,
): FastifyReply {
  async function* pages() {
    yield `{"status":"success","${name}":[`
    let after = '0'
    let isFirst = true
    for (;;) {
      const rows = await context.db.query<Row>(page(after))
      for (const row of rows) {
        yield (isFirst ? '' : ',') + JSON.stringify(shape(row))
        isFirst = false
      }
      const last = rows.at(-1)
      if (!last || rows.length < PAGE_SIZE) break
      after = last.id
    }
    yield ']}'
  }
  return reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(Readable.from(pages()))
}
