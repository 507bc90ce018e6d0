import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLine } from '../../../test/support/database-line.ts'
import { freePort, onDatabase } from '../../../test/support/database-server.ts'
import { makeFolder } from '../../../test/support/folders.ts'
import { statement } from '../../../test/support/statement.ts'
import { until } from '../../../test/support/until.ts'
import { RetryableError } from '../refusal.ts'
import { type Database, openDatabase } from './database.ts'
import { startEmbedded } from './embedded.ts'
import { findBinaries } from './postgres-binaries.ts'
import { findHost } from './primary.ts'

const run = promisify(execFile)
/** PostgreSQL refuses to be root. */
const asPostgres =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

const WRITE = statement('test_write', 'insert into told values ($1)')
const READ = statement(
  'test_read',
  'select count(*)::integer as count, bool_or(pg_is_in_recovery()) as by_standby from told',
)
const PAUSE = statement('test_pause', 'select pg_wal_replay_pause()')
const RESUME = statement('test_resume', 'select pg_wal_replay_resume()')
const PROMOTE = statement('test_promote', 'select pg_promote()')
const IS_STANDBY = statement('test_is_standby', 'select pg_is_in_recovery() as by_standby')

interface Read {
  readonly count: number
  readonly by_standby: boolean
}

const NOTHING = statement('test_nothing', 'select 1')

/** As an operator's URL reaches it: over TCP. */
function overTcp(url: string, port: number): string {
  const parsed = new URL(url)
  parsed.host = `127.0.0.1:${port}`
  parsed.search = ''
  return onDatabase(parsed.href, 'presale')
}

/** A folder that PostgreSQL may write. */
async function makeItsFolder(): Promise<string> {
  const folder = join(await makeFolder('standby'), 'postgres')
  await mkdir(folder, { mode: 0o700 })
  if (asPostgres.length === 0) return folder
  const { stdout } = await run('id', ['-u', 'postgres'])
  for (const owned of [join(folder, '..'), folder]) await chown(owned, Number(stdout), 0)
  return folder
}

/** What follows a primary from now on: a copy of its folder, as `pg_basebackup` makes one. */
async function startStandby(primaryUrl: string, port: number) {
  const { binFolder } = await findBinaries(undefined, 15)
  const folder = await makeItsFolder()
  const call = (program: string, given: string) =>
    [...asPostgres, join(binFolder, program), '-D', folder, ...given.split(' ')] as [string, ...string[]]
  const [basebackup, ...copying] = call('pg_basebackup', `-w -R -c fast -d ${primaryUrl}`)
  await run(basebackup, copying)
  const [postgres, ...serving] = call('postgres', `-c port=${port} -c unix_socket_directories=${folder}`)
  return spawn(postgres, serving, { stdio: 'ignore' })
}

async function startPair() {
  const [port, standbyPort] = [await freePort(), await freePort()]
  const primary = await startEmbedded({
    dataDir: await makeFolder('primary'),
    mode: 'own',
    major: 15,
    settings: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      wal_level: 'replica',
      max_wal_senders: '2',
    },
  })
  const standby = await startStandby(overTcp(primary.adminUrl, port), standbyPort)
  const control = openDatabase({ url: overTcp(primary.adminUrl, standbyPort), poolSizeMax: 1 })
  const isThere = () =>
    control.query(NOTHING).then(
      () => true,
      () => false,
    )
  await until(isThere)
  const killStandby = async () => {
    if (standby.exitCode !== null || standby.signalCode !== null) return
    standby.kill('SIGQUIT')
    await once(standby, 'exit')
  }
  return {
    url: overTcp(primary.ownerUrl, port),
    replicaUrl: overTcp(primary.ownerUrl, standbyPort),
    /** The standby, as its superuser. */
    control,
    killStandby,
    async stop() {
      await control.close()
      await killStandby()
      await primary.stop()
    },
  }
}

let pair: Awaited<ReturnType<typeof startPair>>
let db: Database
beforeAll(async () => {
  pair = await startPair()
  db = openDatabase({ url: pair.url, poolSizeMax: 2, readPoolSizeMax: 1, replicaUrl: pair.replicaUrl })
  await db.query(statement('test_table', 'create table told (n integer)'))
})
afterAll(async () => {
  await db.close()
  await pair.stop()
})

let written = 0
const write = async () => {
  written += 1
  await db.query(WRITE, [written])
}
const read = () =>
  db.transaction((tx) => tx.one<Read>(READ), { isolation: 'repeatable read', readOnly: true })

describe('what only reads', () => {
  test('is served by the standby, with everything that was written before', async () => {
    for (let n = 0; n < 20; n += 1) {
      await write()
      expect(await read()).toEqual({ count: written, by_standby: true })
    }
    expect(db.replicaReads).toEqual({ served: 20, behind: 0, away: 0 })
  })

  test('is served by the primary while the standby lags, and by the standby once it has caught up', async () => {
    await pair.control.query(PAUSE)
    await write()
    expect(await read()).toEqual({ count: written, by_standby: false })
    expect(db.replicaReads).toMatchObject({ behind: 1 })
    await pair.control.query(RESUME)
    await until(async () => (await read()).by_standby)
    expect((await read()).count).toBe(written)
  })

  describe('while the primary is busy', () => {
    /** A standby that lacks a row, and a pool whose only connection for writing is in use. */
    async function open(readPoolSizeMax?: number) {
      await pair.control.query(PAUSE)
      await write()
      const busy = openDatabase({
        url: pair.url,
        poolSizeMax: 1,
        replicaUrl: pair.replicaUrl,
        ...(readPoolSizeMax && { readPoolSizeMax }),
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      const holding = busy.transaction(async (tx) => {
        await tx.query(NOTHING)
        await promise
      })
      await until(async () => busy.pool.totalCount === 1 && busy.pool.idleCount === 0)
      const letGo = async () => {
        resolve()
        await holding
      }
      const close = async () => {
        await letGo()
        await busy.close()
        await pair.control.query(RESUME)
      }
      const asked = () => busy.transaction((tx) => tx.one<Read>(READ), { readOnly: true })
      return { busy, asked, letGo, close }
    }

    test('a standby that lags is not taken for all there is: who can’t ask the primary is told to come back', async () => {
      const { busy, asked, letGo, close } = await open()
      const waiting = Promise.allSettled(Array.from({ length: 500 }, () => busy.query(NOTHING)))
      await expect(asked()).rejects.toBeInstanceOf(RetryableError)
      await letGo()
      await waiting
      await close()
    })

    test('what only reads waits for no write', async () => {
      const { asked, close } = await open(1)
      expect(await asked()).toEqual({ count: written, by_standby: false })
      await close()
    })
  })

  test('is served by a standby as it stands while there is no primary', async () => {
    const nobody = pair.url.replace(/:\d+\//, `:${await freePort()}/`)
    const alone = openDatabase({ url: nobody, poolSizeMax: 1, replicaUrl: pair.replicaUrl })
    const reading = alone.transaction((tx) => tx.one<Read>(READ), { readOnly: true })
    expect(await reading).toEqual({ count: written, by_standby: true })
    await alone.close()
  })

  test('is not served by a primary of before a failover, which is no standby, while there is no primary', async () => {
    const nobody = pair.url.replace(/:\d+\//, `:${await freePort()}/`)
    const alone = openDatabase({ url: nobody, poolSizeMax: 1, replicaUrl: pair.url })
    const reading = alone.transaction((tx) => tx.one<Read>(READ), { readOnly: true })
    await expect(reading).rejects.toBeInstanceOf(RetryableError)
    await alone.close()
  })

  describe('while the primary is silent', () => {
    const slow = statement(
      'test_slow_read',
      'select count(*)::integer as count, bool_or(pg_is_in_recovery()) as by_standby, pg_sleep(0.2)::text from told',
    )
    const open = async () => {
      const line = await openLine(pair.url)
      const hosts = [line.url, pair.replicaUrl].map((url) => new URL(url).host)
      const several = openDatabase({
        url: pair.url.replace(new URL(pair.url).host, hosts.join()),
        poolSizeMax: 2,
        readPoolSizeMax: 2,
        beats: true,
      })
      // Two beats say what a standby must have.
      await several.one(READ)
      await delay(1_000)
      const close = async () => {
        await several.close()
        line.close()
      }
      return { line, several, close }
    }

    test.each(['freeze', 'cut'] as const)(
      'a standby answers (%s), also what was asked before',
      async (end) => {
        await write()
        const { line, several, close } = await open()
        expect(await several.one(READ)).toEqual({ count: written, by_standby: false })
        const asked = several.one<Read>(slow)
        await delay(50)
        line[end]()
        expect(await asked).toMatchObject({ count: written, by_standby: true })
        for (let n = 0; n < 20; n += 1)
          expect(await several.one(READ)).toEqual({ count: written, by_standby: true })
        const reading = several.transaction((tx) => tx.one<Read>(READ), { readOnly: true })
        expect(await reading).toEqual({ count: written, by_standby: true })
        expect(several.standInReads).toBeGreaterThan(0)
        line.join()
        await until(async () => !(await several.one<Read>(READ)).by_standby)
        await close()
      },
    )

    test('one that lacks what the primary had on its disk does not', async () => {
      await pair.control.query(PAUSE)
      await write()
      const { line, several, close } = await open()
      line.freeze()
      const asking = several.one<Read>(READ)
      await delay(1_500)
      expect(several.standInReads).toBe(0)
      line.join()
      await asking
      expect(several.standInReads).toBe(0)
      await pair.control.query(RESUME)
      await close()
    })

    test('one that has it a moment later answers then, and nobody waits until the primary is given up', async () => {
      await pair.control.query(PAUSE)
      await write()
      const { line, several, close } = await open()
      const startedAt = performance.now()
      line.freeze()
      const asking = several.one<Read>(READ)
      await delay(900)
      await pair.control.query(RESUME)
      expect(await asking).toEqual({ count: written, by_standby: true })
      expect(performance.now() - startedAt).toBeLessThan(1_600)
      line.join()
      await until(async () => !(await several.one<Read>(READ)).by_standby)
      await close()
    })
  })

  test('the standby that stood in last time is not waited for where it is silent now', async () => {
    const [primary, one, other] = [
      await openLine(pair.url),
      await openLine(pair.replicaUrl),
      await openLine(pair.replicaUrl),
    ]
    const hosts = [primary, one, other].map((line) => new URL(line.url).host)
    const url = pair.url.replace(new URL(pair.url).host, hosts.join())
    const several = openDatabase({ url, poolSizeMax: 1, readPoolSizeMax: 2, beats: true })
    const isByStandby = async () => (await several.one<Read>(READ)).by_standby
    await isByStandby()
    await delay(1_000)
    other.cut()
    primary.freeze()
    await until(isByStandby)
    primary.join()
    await until(async () => !(await isByStandby()))
    other.join()
    await delay(1_500)
    const startedAt = performance.now()
    for (const line of [primary, one]) line.freeze()
    expect(await isByStandby()).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(1_300)
    for (const line of [primary, one]) line.join()
    await until(async () => !(await isByStandby()))
    await several.close()
    for (const line of [primary, one, other]) line.close()
  })

  test('takes long on a connection of its own, to the standby too', async () => {
    await write()
    const reader = await db.reader({ application_name: 'test' })
    expect((await reader.query<Read>(READ.text)).rows).toEqual([{ count: written, by_standby: true }])
    await reader.end()
  })

  test('writes nowhere', async () => {
    const writing = db.transaction((tx) => tx.query(WRITE, [0]), { readOnly: true })
    await expect(writing).rejects.toMatchObject({ code: '25006' })
  })

  test('is served by the primary where the standby is gone', async () => {
    await pair.killStandby()
    await write()
    expect(await read()).toEqual({ count: written, by_standby: false })
    const reader = await db.reader({ application_name: 'test' })
    expect((await reader.query<Read>(READ.text)).rows).toEqual([{ count: written, by_standby: false }])
    await reader.end()
    expect(db.replicaReads?.away).toBeGreaterThan(0)
  })
})

test('a standby is found the moment it is promoted, beside a former primary that keeps silent', async () => {
  const promoted = await startPair()
  const line = await openLine(promoted.url)
  const hosts = [line.url, promoted.replicaUrl].map((url) => new URL(url).host)
  const several = openDatabase({ url: promoted.url.replace(new URL(promoted.url).host, hosts.join()) })
  line.freeze()
  // On a slow machine a promotion takes longer than one question waits.
  const asking = until(async () => {
    const answer = await several.one<{ by_standby: boolean }>(IS_STANDBY).catch(() => undefined)
    return answer?.by_standby === false
  })
  await delay(300)
  await promoted.control.query(PROMOTE)
  await asking
  await several.close()

  // The former one wakes up, still believes in itself, and answers first.
  line.join()
  const slow = await openLine(promoted.replicaUrl, 50)
  for (const urls of [
    [line.url, slow.url],
    [slow.url, line.url],
  ])
    expect(await findHost(urls)).toMatchObject({ url: slow.url })
  slow.close()
  line.close()
  await promoted.stop()
})
