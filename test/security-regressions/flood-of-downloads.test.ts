import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { budgets } from '../../src/server/limits/local-limits.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on' }, { jobs: false })
})
afterAll(() => server.close())

const load = () => fetch(`${server.url}/transparency/orders.csv`)

test('the public rows are read from the database once for all who ask, and a network asks so often and no more [RIGHT-26]', async () => {
  await server.context.campaign.current()
  const { db } = server.context
  const transaction = db.transaction.bind(db)
  const asked: string[] = []
  vi.spyOn(db, 'transaction').mockImplementation((work, options) =>
    transaction((tx) => {
      const query = tx.query.bind(tx)
      vi.spyOn(tx, 'query').mockImplementation((statement) => {
        asked.push(statement.text)
        return query(statement)
      })
      return work(tx)
    }, options),
  )
  const answers = await Promise.all(Array.from({ length: budgets.downloads.network.burst }, load))
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('order,day,stage,currency,base,bonus,dollars,approved_by')
  }
  expect(asked.filter((text) => text.includes("o.status = 'approved'"))).toHaveLength(1)
  const refused = await load()
  expect(refused.status).toBe(429)
  expect((await refused.json()).error.details.limit).toBe('downloads_network')
})
