import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { rates } from '../../src/server/limits/limits.ts'
import { localRates } from '../../src/server/limits/local-limits.ts'
import { bearer, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

const asked = { currency: 'USDT', amount: '40', unit: 'token' }
let server: TestServer
let ann: string

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on' }, { jobs: false })
  ann = await registerToken(server.url)
})
afterAll(() => server.close())

const bind = (token: string) => sendJson('POST', `${server.url}/api/v1/quotes`, asked, bearer(token))

test('a buyer binds so many quotes and no more, and another buyer goes on [RIGHT-25]', async () => {
  for (let n = 0; n < rates.quote_account.burst; n += 1) expect((await bind(ann)).status).toBe(200)
  const refused = await bind(ann)
  expect([refused.status, refused.code]).toEqual([429, 'too_many_requests'])
  expect(refused.body.error.details.limit).toBe('quote_account')
  expect((await bind(await registerToken(server.url))).status).toBe(200)
})

test('one network has so many prices worked out and no more [RIGHT-25]', async () => {
  const preview = () => sendJson('POST', `${server.url}/api/v1/quotes/preview`, asked)
  expect((await preview()).status).toBe(200)
  // The rest of a minute's worth, at once.
  const { localLimits } = server.context
  for (let n = 0; n < localRates.preview_network.burst; n += 1)
    if (!isTaken(() => localLimits.take('preview_network', '127.0.0.1'))) break
  const refused = await preview()
  expect([refused.status, refused.body.error.details.limit]).toEqual([429, 'preview_network'])
})

test('unused quotes are gone after a week; one that was used, and one with an address of its own, stay [RIGHT-25]', async () => {
  const { db } = server.database
  await db.query(sql`update quotes set expires_at = now() - interval '8 days'`)
  await db.query(sql`update quotes set watched = true where id = (select min(id) from quotes)`)
  const fresh = (await bind(await registerToken(server.url))).body.id
  await server.context.retention.sweep('quotes')
  const left = await db.query<{ id: string; watched: boolean }>(
    sql`select id, watched from quotes order by watched`,
  )
  expect(left).toMatchObject([{ id: fresh, watched: false }, { watched: true }])
})

function isTaken(take: () => void): boolean {
  try {
    take()
    return true
  } catch {
    return false
  }
}
