import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { actionsOf } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { statement } from '../../../test/support/statement.ts'
import { Content } from '../content/content.ts'
import { onceByKey } from './idempotency.ts'
import { mountOperatorContent } from './operator-content.ts'

const { db } = await createTestDatabase()
const content = new Content({ db })
const app = headerServer(db, (server) =>
  mountOperatorContent({ ...server, actions: actionsOf(db, content.actions) }, content),
)
const owner = `${await addOperator(db, 'owner', 'owner')}:owner`

async function announce(title: string, key: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/operator/announcements',
    headers: { 'x-operator': owner, 'idempotency-key': key },
    payload: {
      title: { en: title, ru: '' },
      body: { en: 'Body', ru: '' },
      image: null,
      pinned: true,
      publishedAt: null,
    },
  })
  return { status: response.statusCode, body: response.json() }
}

const IN_ONE_TRANSACTION = statement(
  'test_key_and_effect',
  `select a.xmin = k.xmin as together from announcements a, idempotency_keys k
    where a.id = (k.reply ->> 'id')::bigint and k.key = $1`,
)
const COUNT = statement(
  'test_count_announcements',
  "select count(*)::integer as count from announcements where title ->> 'en' = $1",
)
const count = async (title: string) => (await db.one<{ count: number }>(COUNT, [title])).count

test('an announcement and the reply to its key are written together or not at all', async () => {
  const first = await announce('Together', 'together')
  expect(first).toMatchObject({ status: 200, body: { title: { en: 'Together' }, state: 'draft' } })
  expect(await db.one(IN_ONE_TRANSACTION, ['together'])).toEqual({ together: true })
  expect(await announce('Together', 'together')).toEqual(first)
  expect(await count('Together')).toBe(1)
})

test('a key taken over from one who was only slow has one effect', async () => {
  const HOLD = statement('test_hold_pin', "select pg_advisory_xact_lock(hashtext('announcements.pinned'))")
  const AGE = statement(
    'test_age_key',
    "update idempotency_keys set started_at = started_at - interval '61 seconds' where key = 'slow' returning 1 as aged",
  )
  const both = await db.transaction(async (tx) => {
    await tx.query(HOLD)
    const slow = announce('Slow', 'slow')
    while (!(await db.maybeOne(AGE))) await delay(20)
    const next = announce('Slow', 'slow')
    const WAITING = statement(
      'test_waiting_for_pin',
      "select count(*)::integer as waiting from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    )
    while ((await db.one<{ waiting: number }>(WAITING)).waiting < 2) await delay(20)
    return [slow, next]
  })
  const answers = await Promise.all(both)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await count('Slow')).toBe(1)
  const done = answers.find(({ status }) => status === 200)
  expect(await announce('Slow', 'slow')).toEqual(done)
})

test('a request that fails late frees no key that another one has taken over [ORDER-8]', async () => {
  const id = ['anybody', 'POST /anything', 'failing'] as const
  const hash = Buffer.alloc(32)
  const once = (run: () => Promise<string>) => onceByKey(db, id, hash, run)
  const failing = Promise.withResolvers<string>()
  const first = once(() => failing.promise)
  const AGE = statement(
    'test_age_failing',
    "update idempotency_keys set started_at = started_at - interval '61 seconds' where key = 'failing' returning 1 as aged",
  )
  while (!(await db.maybeOne(AGE))) await delay(20)
  const working = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const second = once(() => {
    begun.resolve()
    return working.promise
  })
  await begun.promise
  failing.reject(new Error('frozen for a minute'))
  await expect(first).rejects.toThrow('frozen for a minute')
  await expect(once(async () => 'done twice')).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  working.resolve('done')
  expect(await second).toBe('done')
  expect(await once(async () => 'done twice')).toBe('done')
})
