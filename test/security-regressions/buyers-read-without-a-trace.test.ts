import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, operatorToken, password } from '../support/api.ts'
import { addBuyer, buy, openSale } from '../support/campaign.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

let staff: Staff
const ids: string[] = []
const db = () => staff.server.database.db

beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('fin', 'finance')
  await staff.join('sue', 'support')
  const sale = await openSale(db())
  for (let buyer = 0; buyer < 3; buyer++) {
    const { number } = await buy(sale, await addBuyer(db()), '40')
    ids.push(String(number))
  }
})
afterAll(() => staff.close())

const traces = async () => {
  const { count } = await db().one<{ count: number }>(
    sql`select count(*)::int from audit_log where action = 'user.read'`,
  )
  return count
}

test('a decision that changes nothing leaves a trace for each order that it shows [RIGHT-24]', async () => {
  const before = await traces()
  for (const id of ids) {
    const answer = await staff.ask('fin', 'POST', `/operator/orders/${id}/unhide`, {})
    expect([answer.status, typeof answer.body.email]).toEqual([200, 'string'])
  }
  expect((await traces()) - before).toBe(ids.length)
})

test('a key that may decide about orders and not read them learns nothing of their buyers [RIGHT-24]', async () => {
  const name = { name: 'queue', scopes: ['orders:decide'], expiresInDays: 1, proof: { password } }
  const made = await staff.ask('owner', 'POST', '/operator/api-keys', name)
  const answer = await fetch(`${staff.server.url}/api/v1/operator/orders/${ids[0]}/unhide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.body.key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect([answer.status, await answer.json()]).toMatchObject([200, { email: '', address: '', country: null }])
})

test('a grant of nothing tells of no buyer [RIGHT-24]', async () => {
  const { email } = await db().one<{ email: string }>(sql`select email from users limit 1`)
  const grant = { email, amount: '0', reason: '' }
  const answer = await staff.ask('fin', 'POST', '/operator/grants', grant, { 'idempotency-key': 'k1' })
  expect([answer.status, answer.body.error?.code]).toEqual([422, 'amount_invalid'])
})

test('a grant that fails leaves a trace of the buyer whom it showed to have an account [RIGHT-24]', async () => {
  for (let buyer = 0; buyer < 2; buyer += 1) await addBuyer(db())
  const [one, two] = await db().query<{ email: string }>(
    sql`select email from users order by id desc limit 2`,
  )
  const before = await traces()
  const grant = (to: string, key: string) =>
    staff.ask(
      'fin',
      'POST',
      '/operator/grants',
      { email: to, amount: '999999999999', reason: '' },
      { 'idempotency-key': key },
    )
  expect((await grant('nobody@example.org', 'k2')).body.error?.code).toBe('user_unknown')
  expect((await traces()) - before).toBe(0)
  expect((await grant(one?.email ?? '', 'k3')).body.error?.code).toBe('supply_reached')
  expect((await traces()) - before).toBe(1)
  const token = await operatorToken(staff.server.url, 'fin')
  const legacy = await fetch(`${staff.server.url}/api/controllers/users.php`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ admin_token: token, email: two?.email, balance: '999999999999' }),
  })
  expect([legacy.ok, (await traces()) - before]).toEqual([false, 2])
})

test('buyers who are opened one by one count for the mail to the owners [RIGHT-24]', async () => {
  await db().query(
    sql`insert into people_reads (operator_id, key, list, hour, rows)
        select id, '', 'users', date_trunc('hour', now()), 999 from operators where login = 'sue'`,
  )
  const alarms = () => db().query(sql`select payload from outbox where kind = 'people_read'`)
  expect(await alarms()).toEqual([])
  const { id } = await db().one<{ id: string }>(sql`select id from users limit 1`)
  expect((await staff.ask('sue', 'GET', `/operator/users/${id}`)).status).toBe(200)
  expect(await alarms()).toHaveLength(1)
})

test('a row that came since the same page was read is counted [RIGHT-24]', async () => {
  const path = `/operator/users?limit=100&from=${encodeURIComponent(new Date().toISOString())}`
  const counted = () =>
    db().one<{ rows: number }>(
      sql`select coalesce(sum(r.rows), 0)::int as rows from people_reads r
            join operators o on o.id = r.operator_id where o.login = 'fin' and r.list = 'users'`,
    )
  await addBuyer(db())
  await staff.ask('fin', 'GET', path)
  for (let buyer = 0; buyer < 3; buyer++) await addBuyer(db())
  await staff.ask('fin', 'GET', path)
  await staff.ask('fin', 'GET', path)
  expect(await counted()).toEqual({ rows: 4 })
})

test('whole lists of the legacy API need a login of the last 15 minutes [RIGHT-24]', async () => {
  const headers = bearer(await operatorToken(staff.server.url, 'sue'))
  const list = () => fetch(`${staff.server.url}/api/controllers/users.php`, { headers })
  expect((await list()).status).toBe(200)
  await db().query(sql`update operator_sessions set authenticated_at = now() - interval '16 minutes'`)
  const answer = await list()
  expect([answer.status, (await answer.text()).includes('"email":')]).toEqual([401, false])
})
