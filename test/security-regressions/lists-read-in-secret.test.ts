import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  logPeopleReads,
  notePeopleRead,
  PEOPLE_ALARM,
  peopleLogOf,
} from '../../src/server/access-log/access-log.ts'
import { sql } from '../../src/server/database/database.ts'
import type { OperatorActor } from '../../src/server/unit-of-work/unit-of-work.ts'
import { operatorActor } from '../support/actions.ts'
import { apiOf, operatorToken, password } from '../support/api.ts'
import { addBuyer } from '../support/campaign.ts'
import { addOperator } from '../support/header-server.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let support: OperatorActor

beforeAll(async () => {
  server = await startServer(
    { DEMO: 'on', OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password },
    { jobs: false },
  )
  support = operatorActor(await addOperator(server.context.db, 'sue', 'support'), 'support')
})
afterAll(() => server.close())

const db = () => server.context.db
const rowsOf = (actor: OperatorActor) =>
  db().query<{ list: string; rows: number; key: string }>(
    sql`select list, rows, key from people_reads where operator_id = ${actor.operatorId} order by list, key`,
  )
const told = () =>
  db().query<{ payload: object }>(sql`select payload from outbox where kind = 'people_read' order by id`)
const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
const anHourLater = () => db().query(sql`update people_reads set hour = hour - interval '1 hour'`)

test('whoever turns the pages of a list is counted by rows, a page that refreshes itself once an hour [RIGHT-24]', async () => {
  const read = peopleLogOf(db(), 'users')
  await read(support, { limit: 100 }, items(100))
  await read(support, { limit: 100 }, items(100))
  await read(support, { limit: 100, after: '5' }, items(20))
  await read({ ...support, scopes: ['users:read'], sessionId: 'key:7' }, { limit: 100 }, items(100))
  expect(await rowsOf(support)).toEqual([
    { list: 'users', rows: 120, key: '' },
    { list: 'users', rows: 100, key: 'key:7' },
  ])
  await logPeopleReads(db())
  const entries = () =>
    db().query<{ subject_id: string; after: object }>(
      sql`select subject_id, after from audit_log where action = 'list.read' order by id`,
    )
  expect(await entries()).toEqual([])
  await anHourLater()
  await logPeopleReads(db())
  await logPeopleReads(db())
  expect(await entries()).toEqual(
    expect.arrayContaining([
      { subject_id: 'users', after: { rows: 120, startsAt: expect.any(String) } },
      { subject_id: 'users', after: { rows: 100, startsAt: expect.any(String), key: 'key:7' } },
    ]),
  )
  expect(await entries()).toHaveLength(2)
})

test('who reads many within a day is told of to the owners, once [RIGHT-24]', async () => {
  await notePeopleRead(db(), support, 'orders', PEOPLE_ALARM - 221)
  expect(await told()).toEqual([])
  await notePeopleRead(db(), support, 'orders', 1)
  await notePeopleRead(db(), support, 'orders', 100)
  expect(await told()).toEqual([
    { payload: { operator: support.operatorId, rows: String(PEOPLE_ALARM), list: 'orders' } },
  ])
})

test('a list over HTTP is counted, and a download needs a fresh login [RIGHT-24]', async () => {
  const token = await operatorToken(server.url, 'owner')
  const owner = await db().one<{ id: string }>(
    sql`select operator_id as id from operator_sessions order by id desc limit 1`,
  )
  for (let buyer = 0; buyer < 4; buyer++) await addBuyer(db())
  await apiOf(server.url, token)('GET', '/operator/users?limit=3')
  await apiOf(server.url, token)('GET', '/operator/orders?limit=2')
  expect(await rowsOf(operatorActor(owner.id))).toEqual([{ list: 'users', rows: 3, key: '' }])
  const download = () =>
    fetch(`${server.url}/api/v1/operator/exports/users.csv`, {
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await download()).status).toBe(200)
  await db().query(sql`update operator_sessions set authenticated_at = now() - interval '16 minutes'`)
  const late = await download()
  expect([late.status, ((await late.json()) as { error: { code: string } }).error.code]).toEqual([
    401,
    'step_up_required',
  ])
})
