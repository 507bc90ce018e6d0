import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openLine } from '../../../test/support/database-line.ts'
import { slowness } from '../../../test/support/patience.ts'
import { statement } from '../../../test/support/statement.ts'
import { RetryableError } from '../refusal.ts'
import { isConnectionLoss, openDatabase } from './database.ts'
import { hostUrls } from './primary.ts'
import { bytesOf, recordsOf } from './records.ts'

const { db, url, adminUrl } = await createTestDatabase()

const selectTypes = statement(
  'test_select_types',
  `select 0.10::numeric(20, 6) as amount, 9007199254740993::int8 as units, date '2026-03-01' as day,
          timestamptz '2026-03-01 12:00:00+03' as made_at, true as is_open`,
)
const insertCounter = statement(
  'test_insert_counter',
  'insert into test_counters (id, value) values ($1, $2)',
)
const addToCounter = statement(
  'test_add_to_counter',
  'update test_counters set value = value + $2 where id = $1',
)
const readCounter = statement('test_read_counter', 'select value from test_counters where id = $1')
const backend = statement('test_backend', 'select pg_backend_pid() as pid')
const divideByZero = statement('test_divide_by_zero', 'select 1 / 0')
const longReadings = statement(
  'test_long_readings',
  "select pid from pg_stat_activity where application_name = 'test long'",
)
const sleep = statement('test_sleep', 'select pg_sleep($1)')

beforeAll(async () => {
  await db.query(
    statement('test_make_counters', 'create table test_counters (id int primary key, value int not null)'),
  )
})

test('numeric, int8 and date stay text, a time is a Date', async () => {
  expect(await db.one(selectTypes)).toEqual({
    amount: '0.100000',
    units: '9007199254740993',
    day: '2026-03-01',
    made_at: new Date('2026-03-01T09:00:00Z'),
    is_open: true,
  })
})

test('records arrive as they were written, whatever is in them', async () => {
  await db.query(statement('test_record', 'create type test_record as (a text, b text, c bytea, d jsonb)'))
  const json = JSON.stringify({ said: 'a "quoted" \\ word, {braces} (and) \n lines' })
  const texts = ['', 'null', 'a "b" \\c', '{1,2}', '(x,y)', "d'e", ' f ', '\n\t', 'г\u0416']
  const rows = texts.map((text, at) => [text, at % 2 ? null : text, bytesOf(Buffer.from(text)), json])
  const read = statement('test_records', 'select * from unnest($1::test_record[])')
  expect(await db.query(read, [recordsOf([])])).toEqual([])
  expect(await db.query(read, [recordsOf(rows)])).toEqual(
    texts.map((text, at) => ({
      a: text,
      b: at % 2 ? null : text,
      c: Buffer.from(text),
      d: JSON.parse(json),
    })),
  )
})

test('one wants exactly one row, maybeOne at most one', async () => {
  const two = statement('test_two', 'select * from generate_series(1, $1::int) as n')
  await expect(db.one(two, [0])).rejects.toThrow(/no row/)
  await expect(db.one(two, [2])).rejects.toThrow(/2 rows/)
  await expect(db.maybeOne(two, [2])).rejects.toThrow(/2 rows/)
  expect(await db.maybeOne(two, [0])).toBeUndefined()
})

test('two texts under one name are two statements', async () => {
  expect(await db.one(statement('test_number', 'select 1 as n'))).toEqual({ n: 1 })
  expect(await db.one(statement('test_number', 'select 2 as n'))).toEqual({ n: 2 })
  expect(statement('test_backend', backend.text)).toEqual(backend)
})

describe('transactions', () => {
  test('what a failed one did is undone, and its error arrives as it was', async () => {
    await db.query(insertCounter, [1, 0])
    const failing = db.transaction(async (tx) => {
      await tx.query(addToCounter, [1, 5])
      throw new TypeError('as it was')
    })
    await expect(failing).rejects.toThrow(new TypeError('as it was'))
    expect(await db.one(readCounter, [1])).toEqual({ value: 0 })
  })

  test('a deadlock runs the loser again: both count, once each', async () => {
    await db.query(insertCounter, [10, 0])
    await db.query(insertCounter, [11, 0])
    let runs = 0
    let halfway = 0
    const bothHalfway = Promise.withResolvers<void>()
    const move = (first: number, second: number) =>
      db.transaction(async (tx) => {
        runs += 1
        await tx.query(addToCounter, [first, 1])
        halfway += 1
        if (halfway === 2) bothHalfway.resolve()
        await bothHalfway.promise
        await tx.query(addToCounter, [second, 1])
      })
    await Promise.all([move(10, 11), move(11, 10)])
    expect(runs).toBeGreaterThan(2)
    expect(await db.one(readCounter, [10])).toEqual({ value: 2 })
    expect(await db.one(readCounter, [11])).toEqual({ value: 2 })
  })

  test('twenty serializable increments add up to twenty, or say that they gave up', async () => {
    await db.query(insertCounter, [20, 0])
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        db.transaction(
          async (tx) => {
            const { value } = await tx.one<{ value: number }>(readCounter, [20])
            await tx.query(addToCounter, [20, 1])
            return value
          },
          { isolation: 'serializable' },
        ),
      ),
    )
    const done = results.filter((result) => result.status === 'fulfilled')
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RetryableError)
    }
    expect(new Set(done.map((result) => result.value)).size).toBe(done.length)
    expect(await db.one(readCounter, [20])).toEqual({ value: done.length })
  })

  test('a read-only one refuses to write', async () => {
    const writing = db.transaction((tx) => tx.query(insertCounter, [30, 0]), { readOnly: true })
    await expect(writing).rejects.toThrow(/read-only/)
  })
})

describe('connections', () => {
  test('an SQL error keeps the connection', async () => {
    const single = openDatabase({ url, poolSizeMax: 1 })
    const before = await single.one(backend)
    await expect(single.query(divideByZero)).rejects.toThrow(/division by zero/)
    await expect(single.transaction((tx) => tx.query(divideByZero))).rejects.toThrow(/division by zero/)
    expect(await single.one(backend)).toEqual(before)
    await single.close()
  })

  test('a lost one is a retryable fault, and the next statement works', async () => {
    const lost = openDatabase({ url, poolSizeMax: 2 })
    await lost.query(backend)
    const running = Promise.allSettled([
      lost.query(sleep, [20]),
      lost.transaction((tx) => tx.query(sleep, [20])),
    ])
    await delay(200)
    await terminateAllOthers()
    for (const result of await running) {
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(RetryableError)
    }
    expect(await lost.one(backend)).toHaveProperty('pid')
    await lost.close()
  })

  test('an idle one that was lost is replaced without anybody noticing', async () => {
    const errors: Error[] = []
    const idle = openDatabase({ url, poolSizeMax: 1, onConnectionError: (error) => errors.push(error) })
    const before = await idle.one(backend)
    await terminateAllOthers()
    await delay(100)
    expect(await idle.one(backend)).not.toEqual(before)
    expect(errors.length).toBeGreaterThan(0)
    await idle.close()
  })

  test('a database that is not there is a retryable fault', async () => {
    const absent = openDatabase({ url: 'postgres://nobody:x@127.0.0.1:1/none' })
    await expect(absent.query(backend)).rejects.toBeInstanceOf(RetryableError)
    await absent.close()
  })

  test('a plan that a migration has made stale is made again', async () => {
    const changing = statement('test_changing', 'select * from test_changing')
    const run = (name: string, text: string) => db.query(statement(name, text))
    await run('test_changing_1', 'create table test_changing (a int)')
    await run('test_changing_2', 'insert into test_changing values (1)')
    const single = openDatabase({ url, poolSizeMax: 1 })
    expect(await single.query(changing)).toEqual([{ a: 1 }])
    await run('test_changing_3', 'alter table test_changing alter a type text')
    expect(await single.query(changing)).toEqual([{ a: '1' }])
    await single.close()
  })

  test('a statement that runs too long is ended', async () => {
    const impatient = openDatabase({ url, statementTimeoutMs: 100 })
    await expect(impatient.query(sleep, [5])).rejects.toThrow(/statement timeout/)
    await impatient.close()
  })
})

describe('a database that can only be read', () => {
  test('refuses writes as a lost connection, and takes them again once it is the primary', async () => {
    const reading = openDatabase({ url, poolSizeMax: 1 })
    await asAdmin('alter database :name set default_transaction_read_only = on')
    await expect(reading.query(readCounter, [40])).resolves.toEqual([])
    await expect(reading.query(insertCounter, [40, 0])).rejects.toBeInstanceOf(RetryableError)
    await asAdmin('alter database :name reset default_transaction_read_only')
    await reading.query(insertCounter, [40, 0])
    expect(await reading.one(readCounter, [40])).toEqual({ value: 0 })
    await reading.close()
  })

  test.each([
    ['25006', 'ExecCheckXactReadOnly', true],
    ['0A000', 'call_bool_check_hook', true],
    ['0A000', 'RevalidateCachedQuery', false],
    ['53100', 'mdextend', true],
    ['25P03', 'ProcessInterrupts', true],
    ['22012', 'int4div', false],
  ])('%s of %s is a lost connection: %s', (code, routine, isLoss) => {
    expect(isConnectionLoss(Object.assign(new Error('said in any language'), { code, routine }))).toBe(isLoss)
  })
})

describe('reads with a pool of their own', () => {
  const open = () => openDatabase({ url, poolSizeMax: 1, readPoolSizeMax: 1 })
  const write = statement('test_writing_function', 'select test_write($1) as value')
  beforeAll(async () => {
    await db.query(insertCounter, [50, 0])
    await db.query(
      statement(
        'test_make_write',
        `create function test_write(p_id int) returns int language sql as 'update test_counters set value = value + 1 where id = p_id returning value'`,
      ),
    )
  })

  test('go on while every connection for writes waits', async () => {
    const both = open()
    const waiting = both.transaction((tx) => tx.query(sleep, [1]))
    await delay(50)
    const startedAt = performance.now()
    expect(await both.one(readCounter, [50])).toEqual({ value: 0 })
    await both.transaction((tx) => tx.one(readCounter, [50]), { readOnly: true })
    expect(performance.now() - startedAt).toBeLessThan(900)
    await waiting
    await both.close()
  })

  test('a select that writes after all is written, once, and known from then on', async () => {
    const both = open()
    expect(await both.one(write, [50])).toEqual({ value: 1 })
    expect(await both.one(write, [50])).toEqual({ value: 2 })
    expect(await both.one(readCounter, [50])).toEqual({ value: 2 })
    await both.close()
  })

  test('a write that was given up keeps its connection until the server answers it', async () => {
    const both = open()
    Object.assign(both.pool.options, { query_timeout: 100 })
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lock = statement('test_give_up_lock', 'select pg_advisory_xact_lock(50)::text')
    const holding = db.transaction(async (tx) => {
      await tx.query(lock)
      held.resolve()
      await free.promise
    })
    await held.promise
    await expect(both.transaction((tx) => tx.query(lock))).rejects.toBeInstanceOf(RetryableError)
    expect(both.pool.totalCount).toBe(1)
    let isWritten = false
    const writing = both.query(addToCounter, [50, 1]).then(() => {
      isWritten = true
    })
    await delay(300)
    expect(isWritten).toBe(false)
    free.resolve()
    await Promise.all([holding, writing])
    await both.close()
  })

  test('no more than a bounded number waits', async () => {
    const both = open()
    const held = both.query(sleep, [0.3])
    const answers = await Promise.allSettled(
      Array.from({ length: 520 }, () => both.query(addToCounter, [50, 0])),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(RetryableError)
    await held
    await both.close()
  })
})

describe('several hosts', () => {
  test('each is named with what the URL says of all', () => {
    expect(hostUrls('postgres://me:p%40ss@one:5432,[::1]:5433,three/sale?sslmode=require')).toEqual([
      'postgres://me:p%40ss@one:5432/sale?sslmode=require',
      'postgres://me:p%40ss@[::1]:5433/sale?sslmode=require',
      'postgres://me:p%40ss@three/sale?sslmode=require',
    ])
    expect(hostUrls(url)).toEqual([url])
  })

  test('the one that takes writes is found beside one that is gone and one that is frozen, and found again', async () => {
    const [first, frozen] = await Promise.all([openLine(url), openLine(url)])
    const second = await openLine(url)
    frozen.freeze()
    const hosts = [first, frozen, second].map((line) => new URL(line.url).host)
    const named = first.url.replace(new URL(first.url).host, ['127.0.0.1:1', ...hosts].join())
    const several = openDatabase({ url: named })
    expect(await several.one(backend)).toHaveProperty('pid')
    first.cut()
    await delay(50)
    expect(await several.one(backend)).toHaveProperty('pid')
    second.cut()
    await delay(600)
    await expect(several.one(backend)).rejects.toBeInstanceOf(RetryableError)
    await several.close()
    for (const line of [first, frozen, second]) line.close()
  })
})

test('a server that falls silent is noticed within three seconds, by whoever listens too [STAGE-8]', async () => {
  const line = await openLine(url)
  const beating = openDatabase({ url: line.url, beats: true })
  const listener = beating.client({})
  listener.on('error', () => undefined)
  await listener.connect()
  const gone = new Promise((resolve) => listener.once('end', resolve))
  const asking = beating.query(sleep, [60])
  await delay(300)
  line.freeze()
  const startedAt = performance.now()
  await expect(asking).rejects.toBeInstanceOf(RetryableError)
  await gone
  expect(performance.now() - startedAt).toBeLessThan(3_000 * slowness)
  line.join()
  expect(await beating.one(backend)).toHaveProperty('pid')
  await beating.close()
  line.close()
})

test('a long reading that is called off ends at once, however far its connection has come, and leaves none', async () => {
  const line = await openLine(url, 30)
  const { host } = new URL(line.url)
  for (const named of [line.url, line.url.replace(host, `127.0.0.1:1,${host}`)]) {
    const reading = openDatabase({ url: named })
    for (const afterMs of [0, 5, 20, 40, 80, 160]) {
      const off = new AbortController()
      const options = { applicationName: 'test long', statementMsMax: 5_000, signal: off.signal }
      const called = expect(reading.readLong((tx) => tx.query(sleep, [1]), options)).rejects.toSatisfy(
        isConnectionLoss,
      )
      await delay(afterMs)
      off.abort()
      await called
    }
    await reading.close()
  }
  await expect.poll(() => db.query(longReadings)).toEqual([])
  line.close()
})

test('a server that ends a connection in the moment in which it opens ends no process [STAGE-8]', async () => {
  const ready = Buffer.from('5200000008000000005a0000000549', 'hex')
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const goodbye = Buffer.concat([Buffer.from([0x45, 0, 0, 0, fields.length + 4]), fields])
  // Whoever is told that the connection is open hears of its end in the same read, before anything could be done with it.
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([ready, goodbye])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const faults: unknown[] = []
  const note = (error: unknown) => faults.push(error)
  process.on('uncaughtException', note)
  const { port } = server.address() as AddressInfo
  const ending = openDatabase({ url: `postgres://web@127.0.0.1:${port}/presale` })
  try {
    for (let call = 0; call < 3; call += 1)
      await expect(ending.query(backend)).rejects.toSatisfy(isConnectionLoss)
    const options = { applicationName: 'test long', statementMsMax: 5_000 }
    await expect(ending.readLong((tx) => tx.query(backend), options)).rejects.toSatisfy(isConnectionLoss)
    await expect(ending.client({}).connect()).resolves.toBeInstanceOf(Client)
    await delay(50)
    expect(faults).toEqual([])
  } finally {
    process.off('uncaughtException', note)
    await ending.close()
    server.close()
  }
})

async function asAdmin(text: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(text.replace(':name', client.escapeIdentifier(client.database ?? '')))
  await client.end()
}

async function terminateAllOthers(): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}
