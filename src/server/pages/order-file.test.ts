import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import type { Database, Queryable } from '../database/database.ts'
import { OrderFile } from './order-file.ts'
import { orderRowsHead } from './order-rows.ts'

const rowOf = (id: string) => ({
  id,
  name: id.padStart(64, '0'),
  day: '2026-11-26',
  stage: 'Stage 1',
  currency: 'USDT',
  base: '100',
  bonus: '7',
  dollars: '450.00',
  approved_via: 'chain',
})
const lineOf = (id: string) => `${id.padStart(64, '0')},2026-11-26,Stage 1,USDT,100,7,450.00,chain\r\n`
const reading = (rows: () => Promise<object[]>) => ({ query: rows }) as unknown as Queryable

const thawed = Promise.withResolvers<void>()
let primary: Promise<unknown> | undefined
/** Reads as a database does whose primary falls silent: a standby, which has orders that were taken back since, answers beside it. */
const db = {
  one: async () => ({ posted: '3' }),
  transaction: (work: (tx: Queryable) => Promise<unknown>) => {
    primary = work(
      reading(async () => {
        await thawed.promise
        return [rowOf('3')]
      }),
    )
    return work(reading(async () => [rowOf('1'), rowOf('2'), rowOf('3')]))
  },
} as unknown as Database
const file = new OrderFile({ db, campaign: { current: async () => ({ stages: [] }) as never } })
afterAll(() => file.close())

test('the public rows are one answer, whole, also where a standby answered beside a primary that comes back', async () => {
  const said = `${orderRowsHead}${lineOf('1')}${lineOf('2')}${lineOf('3')}`
  expect(await text(await file.open())).toBe(said)
  thawed.resolve()
  await primary
  expect(await text(await file.open())).toBe(said)
})
