import { randomBytes, randomInt } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { actionsOf, operatorActor } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, brokenRules, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { defaultRetention } from '../../shared/retention.ts'
import { openDatabase, sql } from '../database/database.ts'
import { queueAttempts } from '../integrations/webhook-queue.ts'
import { Retention } from './retention.ts'
import { agingTables, isAging, tables } from './tables.ts'

const { db, url } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const retention = new Retention({ db })
const HOUR_MS = 3_600_000

let buyer: string
let operator: string
beforeAll(async () => {
  buyer = await addBuyer(db)
  await db.query(sql`update users set confirmed_at = now() where id = ${buyer}`)
  operator = await addOperator(db, 'owner')
})

const random = () => randomBytes(18).toString('base64url')
const insert = async (text: string, values: unknown[]) =>
  (await db.pool.query<{ key: string }>(`${text} as key`, values)).rows[0]?.key ?? ''

/** Makes a row whose period counts from `since`; answers its key. */
const makers: Record<string, { key: string; make: (since: Date) => Promise<string> }> = {
  users: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into users (name, deleted_at, created_at) values ('', $1, $1::timestamptz - interval '1 day') returning id::text`,
        [since],
      ),
  },
  user_sessions: {
    key: 'id',
    make: (since) =>
      insert(
        // Half of them have run out, the others were idle for too long.
        `insert into user_sessions (token_hash, user_id, kind, expires_at, last_seen_at)
         values ($1, $2, $3, $4, $5) returning id::text`,
        randomInt(2) === 0
          ? [randomBytes(32), buyer, 'token', since, since]
          : [
              randomBytes(32),
              buyer,
              'browser',
              new Date(+since + 5 * HOUR_MS),
              new Date(+since - 168 * HOUR_MS),
            ],
      ),
  },
  operator_sessions: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into operator_sessions (token_hash, operator_id, kind, expires_at, last_seen_at)
         values ($1, $2, 'browser', $3, $3) returning id::text`,
        [randomBytes(32), operator, since],
      ),
  },
  one_time_links: {
    key: `encode(token_hash, 'hex')`,
    make: (since) =>
      insert(
        `insert into one_time_links (token_hash, purpose, user_id, expires_at, used_at)
         values ($1, 'reset_password', $2, $3, $4) returning encode(token_hash, 'hex')`,
        randomInt(2) === 0
          ? [randomBytes(32), buyer, since, null]
          : [randomBytes(32), buyer, new Date(+since + HOUR_MS), since],
      ),
  },
  failed_attempts: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into failed_attempts (user_id, reason, network, last_at) values ($1, 'password', $2, $3) returning id::text`,
        [buyer, random(), since],
      ),
  },
  known_networks: {
    key: 'subject',
    make: (since) =>
      insert(
        `insert into known_networks (subject, network_hash, last_login_at) values ($1, 'n', $2) returning subject`,
        [random(), since],
      ),
  },
  user_devices: {
    key: `encode(mark, 'hex')`,
    make: (since) =>
      insert(
        `insert into user_devices (user_id, mark, last_seen_at) values ($1, $2, $3) returning encode(mark, 'hex')`,
        [buyer, randomBytes(32), since],
      ),
  },
  nicknames_given_up: {
    key: `encode(look_hash, 'hex')`,
    make: (since) =>
      insert(
        `insert into nicknames_given_up (user_id, look_hash, given_up_at) values ($1, $2, $3) returning encode(look_hash, 'hex')`,
        [buyer, randomBytes(32), since],
      ),
  },
  rate_limits: {
    key: 'key',
    make: (since) =>
      insert('insert into rate_limits (key, free_at) values ($1, $2) returning key', [random(), since]),
  },
  attempt_strikes: {
    key: 'key',
    make: (since) =>
      insert(
        'insert into attempt_strikes (key, strikes, struck_at, blocked_until) values ($1, 1, $2, $2) returning key',
        [random(), since],
      ),
  },
  totp_secrets: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into totp_secrets (user_id, secret_encrypted, confirmed_at, removed_at) values ($1, '', $2, $2) returning id`,
        [buyer, since],
      ),
  },
  passkey_challenges: {
    key: 'challenge',
    make: (since) =>
      insert(
        `insert into passkey_challenges (challenge, purpose, expires_at) values ($1, 'user_login', $2) returning challenge`,
        [random(), since],
      ),
  },
  delivery_challenges: {
    key: 'nonce',
    make: (since) =>
      insert(
        `insert into delivery_challenges (nonce, user_id, address, message, expires_at) values ($1, $2, '', '', $3) returning nonce`,
        [random(), buyer, since],
      ),
  },
  followers: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into followers (email, email_key, language, confirm_hash, leave_key, asked_at)
         values (lower($1), lower($1), 'en', sha256($1::bytea), $1, $2) returning id`,
        [random(), since],
      ),
  },
  announcement_mails: {
    key: '(announcement_id, follower_id)',
    make: (since) =>
      insert(
        `with a as (insert into announcements (title, body) values ('{}', '{}') returning id),
         f as (insert into followers (email, email_key, language, confirm_hash, leave_key, confirmed_at)
               values (lower($1), lower($1), 'en', sha256($1::bytea), $1, now()) returning id)
         insert into announcement_mails (announcement_id, follower_id, added_at) select a.id, f.id, $2 from a, f
         returning (announcement_id, follower_id)::text`,
        [random(), since],
      ),
  },
  push_news: {
    key: '(announcement_id, device_id)',
    // A session without an end, which would take its browser along.
    make: (since) =>
      insert(
        `with a as (insert into announcements (title, body) values ('{}', '{}') returning id),
         s as (insert into user_sessions (token_hash, user_id, kind, last_seen_at, expires_at)
               values (sha256($1::bytea), $3, 'browser', 'infinity', 'infinity') returning id),
         d as (insert into push_devices (user_id, session_id, mark, target_encrypted, user_agent, tells_orders)
               select $3, s.id, sha256($1::bytea), '', '', true from s returning id)
         insert into push_news (announcement_id, device_id, added_at) select a.id, d.id, $2 from a, d
         returning (announcement_id, device_id)::text`,
        [random(), since, buyer],
      ),
  },
  framed_orders: {
    key: 'order_id',
    async make(since) {
      const { number } = await buy(sale, buyer, '40')
      return insert(
        `insert into framed_orders (order_id, key_hash, told_at) values ($1, $2, $3) returning order_id::text`,
        [number, randomBytes(32), since],
      )
    },
  },
  orders: {
    key: `id::text || coalesce(nullif(declarations ? 'country', true)::text, '')`,
    make: async (since) => rejectedOrder(await addBuyer(db), since),
  },
  idempotency_keys: {
    key: 'key',
    make: (since) =>
      insert(
        `insert into idempotency_keys (actor, route, key, request_hash, started_at) values ('a', 'r', $1, '', $2) returning key`,
        [random(), since],
      ),
  },
  people_reads: {
    key: 'key',
    make: (since) =>
      insert(
        `insert into people_reads (operator_id, key, list, hour, rows, logged_at) values ($1, $2, 'users', $3, 1, $3) returning key`,
        [operator, random(), since],
      ),
  },
  approval_requests: {
    key: 'id',
    make: (since) =>
      insert(
        // Half of them were decided, the others never were.
        `insert into approval_requests (kind, subject_type, subject_id, payload, summary, state, requested_by, expires_at, decided_at)
         values ('grant.add', 'user', '1', '{}', '{}', $2, $1, $3, $4) returning id::text`,
        randomInt(2) === 0
          ? [operator, 'refused', new Date(+since + 24 * HOUR_MS), since]
          : [operator, 'waiting', since, null],
      ),
  },
  webhook_deliveries: {
    key: 'id',
    make: (since) =>
      insert(
        `with w as (insert into webhooks (url, events, secret_encrypted) values ('https://a.example', '{order}', '') returning id)
         insert into webhook_deliveries (webhook_id, message_id, event, payload, state, created_at, next_attempt_at)
         select id, 'm', 'order', '{}', 'failed', $1, null from w returning id::text`,
        [since],
      ),
  },
  events: {
    key: 'message_id',
    make: (since) =>
      insert(
        `insert into events (number, message_id, event, payload, created_at)
         select coalesce(max(number), 0) + 1, gen_random_uuid()::text, 'order.created', '{}', $1 from events
         returning message_id`,
        [since],
      ),
  },
  'graphile_worker._private_jobs': { key: 'id', make: (since) => job(since, 25) },
  parked_mails: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into parked_mails (id, task, payload, parked_at)
         select coalesce(max(id), 0) + 1, 'send_mail', '{}', $1 from parked_mails returning id::text`,
        [since],
      ),
  },
  mail_deliveries: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into mail_deliveries (id, kind, language, text_version, addressee, state, last_tried_at)
         select coalesce(max(id), 0) + 1, 'order_created', 'en', 0, 'a•••@e•••.org', 'sent', $1 from mail_deliveries
         returning id::text`,
        [since],
      ),
  },
  uploads: {
    key: 'id',
    make: (since) =>
      insert(
        `insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes, created_at)
         values ($1, 'image/png', 1, $2, 1, 1, 'a', $3) returning id::text`,
        [`${random()}.png`, randomBytes(32), since],
      ),
  },
}

const job = async (since: Date, attempts: number) => {
  const { rows } = await db.pool.query<{ id: string }>(
    `select id::text from graphile_worker.add_job('send_mail', '{}')`,
  )
  await db.pool.query(
    'update graphile_worker._private_jobs set updated_at = $2, attempts = $3 where id = $1',
    [rows[0]?.id, since, attempts],
  )
  return rows[0]?.id ?? ''
}

async function rejectedOrder(userId: string, since: Date): Promise<string> {
  const { number } = await buy(sale, userId, '40')
  await sale.ledger.reject(String(number), { operatorId: operator })
  await db.query(
    sql`update orders set updated_at = ${since}, declarations = declarations || '{"country": "EE", "termsVersion": 1}'
         where id = ${number}`,
  )
  return String(number)
}

const keysOf = async (table: string) => {
  const { rows } = await db.pool.query<{ key: string }>(
    `select (${makers[table]?.key})::text as key from ${table}`,
  )
  return new Set(rows.map(({ key }) => key))
}

const clear = async () => {
  // The rules of the ledger go by the last order that changed: none is left of another time.
  await db.pool.query(
    'delete from announcements; delete from documents; update orders set updated_at = now()',
  )
  for (const { table } of agingTables)
    if (!['users', 'orders', 'operators'].includes(table)) await db.pool.query(`delete from ${table}`)
  await db.query(sql`delete from retention_runs`)
}

const noteRemoved = async () =>
  Object.fromEntries((await retention.runs()).map(({ table, removed }) => [table, removed]))

describe('the list', () => {
  test('has a row for every table of the database, and none for another [RIGHT-29]', async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
        where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
    )
    expect(tables.map(({ table }) => table).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  test('removes nothing of a table that is append-only', async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger
        where tgfoid = 'refuse_change'::regproc and tgtype & 1 > 0`,
    )
    expect(rows.length).toBeGreaterThan(4)
    expect(
      agingTables.map(({ table }) => table).filter((table) => rows.some(({ name }) => name === table)),
    ).toEqual([])
  })

  test('lets the row of a buyer go after every table that holds its reference', async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select conrelid::regclass::text as name from pg_constraint where confrelid = 'users'::regclass and confdeltype <> 'c'`,
    )
    const where = agingTables.find(({ table }) => table === 'users')?.where ?? ''
    expect(rows.filter(({ name }) => !where.includes(`from ${name} x`))).toEqual([])
  })
})

describe('the job', () => {
  test('leaves nothing older than its period and takes nothing younger, whatever the clock and whoever else runs it [RIGHT-29]', async () => {
    const row = fc.record({
      table: fc.constantFrom(...agingTables.map(({ table }) => table)),
      // Hours beyond the period; negative ones are younger.
      beyond: fc.integer({ min: -400, max: 400 }).filter((hours) => hours !== 0),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 1, max: 3 }),
        async (asked, days, jobs) => {
          await clear()
          await retention.run(new Date(Date.now() + 9_000 * 24 * HOUR_MS))
          await db.query(sql`delete from retention_runs`)
          const at = new Date(Date.now() + days * 24 * HOUR_MS)
          const made: { table: string; key: string; isOld: boolean }[] = []
          for (const { table, beyond } of asked)
            made.push({
              table,
              key: await makers[table]!.make(sinceOf(table, at, beyond)),
              isOld: beyond > 0,
            })
          await Promise.all(Array.from({ length: jobs }, () => retention.run(at)))
          for (const { table } of agingTables) {
            const left = await keysOf(table)
            for (const one of made.filter((known) => known.table === table))
              expect([one, left.has(one.key)]).toEqual([one, !one.isOld])
          }
          const removed = await noteRemoved()
          for (const { table } of agingTables)
            expect([table, removed[table]]).toEqual([
              table,
              made.filter((one) => one.table === table && one.isOld).length,
            ])
        },
      ),
      { numRuns: 6 },
    )
    expect(await brokenRules(db)).toEqual([])
  })

  test('takes nothing that somebody may still need, however old it is [RIGHT-29]', async () => {
    await clear()
    const long = new Date('2001-01-01')
    const needed: Record<string, string[]> = {}
    const need = (table: string, key: string) => (needed[table] ??= []).push(key)

    const customer = await addBuyer(db)
    need('orders', await rejectedOrder(customer, long))
    const bought = await buy(sale, customer, '40')
    await sale.ledger.approve(String(bought.number), { operatorId: operator })
    const open = await addBuyer(db)
    const { number } = await buy(sale, open, '40')
    await db.query(
      sql`update orders set updated_at = ${long}, declarations = declarations || '{"country": "EE"}' where id = ${number}`,
    )
    need('orders', String(number))
    const paid = await addBuyer(db)
    const late = await rejectedOrder(paid, long)
    await db.pool.query(
      `with c as (insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', '[]'))
       insert into payments (chain, transaction_id, output_key, address, asset, amount, order_id, seen_at, confirmations_needed)
       select 'litecoin', 't', '0', 'a', 'native', 1, $1, now(), 1`,
      [late],
    )
    need('orders', late)
    const gone = await addBuyer(db)
    await rejectedOrder(gone, long)
    await db.query(
      sql`update users set email = null, email_key = null, name = '', phone = null, password_hash = null,
                 deleted_at = ${long} where id = ${gone}`,
    )
    need('users', gone)
    need('users', buyer)
    const newcomer = (confirmed: Date | null) =>
      insert(
        `insert into users (name, email, email_key, created_at, confirmed_at) values ('', $1, $1, $2, $3) returning id::text`,
        [`${random().toLowerCase()}@example.org`, long, confirmed],
      )
    need('users', await newcomer(long))
    const watching = await newcomer(null)
    await db.query(
      sql`insert into user_sessions (token_hash, user_id, kind, expires_at)
          values (${randomBytes(32)}, ${watching}, 'browser', now() + interval '1 hour')`,
    )
    need('users', watching)
    need('approval_requests', await makers['approval_requests']!.make(long))
    await db.query(
      sql`update approval_requests set state = 'waiting', decided_at = null, expires_at = now() + interval '1 day'`,
    )
    need('webhook_deliveries', await makers['webhook_deliveries']!.make(long))
    await db.query(
      sql`update webhook_deliveries set state = 'pending', next_attempt_at = now() + interval '1 hour'`,
    )
    // Its time came while no server ran, or while its receiver was slow.
    const unsent = await makers['webhook_deliveries']!.make(long)
    await db.query(
      sql`update webhook_deliveries set state = 'pending', next_attempt_at = ${long} where id = ${unsent}`,
    )
    await queueAttempts(db, [unsent])
    need('webhook_deliveries', unsent)
    need('graphile_worker._private_jobs', await job(long, 24))
    need('uploads', await makers['uploads']!.make(long))
    await db.query(sql`insert into announcements (title, body, image_id) select '{}', '{}', id from uploads`)
    const logo = await makers['uploads']!.make(long)
    await db.query(
      sql`update campaign set settings = jsonb_set(settings, '{brand,logoUploadId}', to_jsonb((select name from uploads where id = ${logo})))`,
    )
    need('uploads', logo)

    await retention.run()
    for (const [table, keys] of Object.entries(needed)) {
      const left = await keysOf(table)
      expect([table, keys.filter((key) => !left.has(key))]).toEqual([table, []])
    }
    await db.pool.query(
      `delete from payments; update campaign set settings = jsonb_set(settings, '{brand,logoUploadId}', 'null')`,
    )
    expect(await brokenRules(db)).toEqual([])
  })

  test('removes accounts whose address was never confirmed and that have nothing [RIGHT-29]', async () => {
    await clear()
    const made = (days: number) =>
      insert(
        `insert into users (name, email, email_key, created_at) values ('', $1, $1, now() - make_interval(days => $2)) returning id::text`,
        [`${random().toLowerCase()}@example.org`, days],
      )
    const [old, young] = [await made(31), await made(29)]
    await retention.run()
    const left = await keysOf('users')
    expect([left.has(old), left.has(young)]).toEqual([false, true])
  })

  test('keeps an account that is gone counted on the day when it was made', async () => {
    await clear()
    const counted = async () =>
      Number(
        (
          await db.one<{ accounts: string }>(
            sql`select coalesce(sum(swept_accounts), 0)::text as accounts from day_counts where day = '2010-05-05'`,
          )
        ).accounts,
      )
    const before = await counted()
    const user = await makers['users']!.make(new Date('2011-01-01'))
    await db.query(sql`update users set created_at = '2010-05-05 23:59Z' where id = ${user}`)
    await retention.run()
    expect((await counted()) - before).toBe(1)
  })

  test('that is killed in the middle has removed whole batches and noted them, and the next one goes on [RIGHT-29]', async () => {
    await clear()
    await db.pool.query(
      `insert into rate_limits select 'limit ' || n, now() - interval '1 day' from generate_series(1, 2500) n`,
    )
    // Kills the connection of whoever removes the row that lies in the second batch.
    await db.pool.query(
      `create function test_kill() returns trigger language plpgsql as $$
         begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return old; end $$;
       create trigger test_kill before delete on rate_limits for each row when (old.key = 'limit 1500') execute function test_kill()`,
    )
    const killed = openDatabase({ url })
    await expect(new Retention({ db: killed }).run()).rejects.toThrow()
    await killed.close()
    const left = async () =>
      (await db.one<{ count: number }>(sql`select count(*)::integer as count from rate_limits`)).count
    expect([await left(), await noteRemoved()]).toMatchObject([1500, { rate_limits: 1000 }])
    expect((await retention.runs()).find(({ table }) => table === 'rate_limits')?.doneAt).toBeNull()
    await db.pool.query('drop trigger test_kill on rate_limits; drop function test_kill')
    await retention.run()
    expect([await left(), await noteRemoved()]).toMatchObject([0, { rate_limits: 2500 }])
    expect((await retention.runs()).find(({ table }) => table === 'rate_limits')?.doneAt).toEqual(
      expect.any(Date),
    )
  })

  test('leaves a file that a page begins to show meanwhile [RIGHT-29]', async () => {
    await clear()
    const upload = await makers['uploads']!.make(new Date('2001-01-01'))
    const other = openDatabase({ url })
    let sweeping: Promise<number> | undefined
    await other.transaction(async (tx) => {
      await tx.query(sql`insert into announcements (title, body, image_id) values ('{}', '{}', ${upload})`)
      sweeping = retention.sweep('uploads')
      expect(await sweeping).toBe(0)
    })
    await retention.sweep('uploads')
    expect(await keysOf('uploads')).toContain(upload)
    await other.close()
  })
})

describe('a period', () => {
  test('is a setting: what one makes older is counted before, waits for a second operator where the sale wants two, and is removed after [TWO-17]', async () => {
    await clear()
    const at = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS)
    for (const days of [8, 20, 40]) await makers['failed_attempts']!.make(at(days))
    await retention.run()
    expect((await keysOf('failed_attempts')).size).toBe(2)
    expect(await sale.campaign.older({ failedAttempts: 10, endedSessions: 0 })).toEqual([
      { period: 'endedSessions', rows: 0 },
      { period: 'failedAttempts', rows: 1 },
    ])

    const actions = actionsOf(db, sale.campaign.actions)
    const [one, two] = [operatorActor(operator), operatorActor(await addOperator(db, 'owner'))]
    const save = async (failedAttempts: number) => {
      const { settings, revision } = await sale.campaign.show()
      const changed = { ...settings, retention: { ...settings.retention, failedAttempts } }
      return actions.execute(sale.campaign.actions['campaign.update'], one, { revision, settings: changed })
    }
    const wantTwo = (wanted: boolean) =>
      db.query(
        sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
      )
    await wantTwo(true)
    await save(60)
    await expect(save(10)).rejects.toMatchObject({ code: 'second_operator_required' })
    const [waiting] = (await actions.pending.list(two, 'waiting')).items
    expect(waiting?.summary).toEqual({ failedAttempts: '60 → 10 (1)' })
    await retention.run()
    expect((await keysOf('failed_attempts')).size).toBe(2)
    await actions.execute(actions.pending.actions['approval.confirm'], two, { id: waiting?.id ?? '' })
    await retention.run()
    expect((await keysOf('failed_attempts')).size).toBe(1)
    await wantTwo(false)
    expect((await sale.campaign.history({ limit: 1 })).items[0]).toMatchObject({
      setting: 'retention',
      after: { failedAttempts: 10 },
    })
  })

  test('that the settings have not, as before there was one, has its default', async () => {
    await db.query(sql`alter table campaign disable trigger campaign_loses_no_setting`)
    await db.query(sql`update campaign set settings = settings - 'retention'`)
    await db.query(sql`alter table campaign enable trigger campaign_loses_no_setting`)
    expect((await sale.campaign.show()).settings.retention).toEqual(defaultRetention)
    await clear()
    await makers['failed_attempts']!.make(new Date(Date.now() - 29 * 24 * HOUR_MS))
    await retention.run()
    expect((await keysOf('failed_attempts')).size).toBe(1)
  })
})

/** The moment from which a row's period counts that is `beyond` hours older than its period at `at`. */
function sinceOf(table: string, at: Date, beyond: number): Date {
  const aging = tables.filter(isAging).find((known) => known.table === table)
  const period = aging?.period ?? { hours: 0 }
  const hours = typeof period === 'string' ? defaultRetention[period] * 24 : period.hours
  return new Date(+at - (hours + beyond) * HOUR_MS)
}
