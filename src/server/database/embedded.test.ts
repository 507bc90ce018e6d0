import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../../../test/support/folders.ts'
import { patienceMs } from '../../../test/support/patience.ts'
import { removeDataDir } from '../../../test/support/program.ts'
import { statement } from '../../../test/support/statement.ts'
import { isAlive } from '../is-alive.ts'
import { openDatabase } from './database.ts'
import { startEmbedded } from './embedded.ts'
import { ownFolder, waitForOwner } from './folder-owner.ts'
import { findBinaries } from './postgres-binaries.ts'

const PROGRAM = fileURLToPath(new URL('../../../test/support/embedded-owner.ts', import.meta.url))
const selectOne = statement('test_select_one', 'select 1 as one')

interface Owner {
  child: ChildProcess
  url: string
  runnerUrl: string
  pid: number
  attached: boolean
}

let folder: string
let owners: ChildProcess[] = []
/** A folder whose cluster was made and ended in order. */
let made: string

beforeAll(async () => {
  made = await makeFolder('made')
  const { child, pid } = await own(made)
  child.kill('SIGTERM')
  await once(child, 'exit')
  await waitUntil(() => !isAlive(pid))
})

afterAll(() => removeDataDir(made))

/** A copy of it, for a test that does not ask how a cluster is made: to make one takes longer than most of them. */
const takeMade = () => promisify(execFile)('cp', ['-pR', join(made, 'postgres'), folder])

beforeEach(async () => {
  folder = await makeFolder('embedded')
})

afterEach(async () => {
  for (const child of owners) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await Promise.race([once(child, 'exit'), delay(10_000)])
      child.kill('SIGKILL')
    }
  }
  owners = []
  await removeDataDir(folder)
})

/** Starts the program; its one line of refusal is the error. */
async function own(dataDir = folder, ...args: string[]): Promise<Owner> {
  return await ownBy([PROGRAM, dataDir, ...args])
}

async function ownBy(words: string[]): Promise<Owner> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  owners.push(child)
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('\n')) return { child, ...JSON.parse(output) }
  }
  throw new Error(errors.trim())
}

/** The same server, for its superuser. */
async function asAdmin(url: string): Promise<string> {
  const admin = new URL(url)
  admin.username = 'postgres'
  admin.password = (await readFile(join(folder, 'postgres/superuser-password'), 'utf8')).trim()
  admin.pathname = '/postgres'
  return admin.href
}

async function kill(owner: Owner): Promise<void> {
  owner.child.kill('SIGKILL')
  await once(owner.child, 'exit')
}

async function run<T>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows as T[]
  } finally {
    await client.end()
  }
}

async function waitUntil(isTrue: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('waited for 10 s')
    await delay(everyMs)
  }
}

test('it is durable, checks its pages, listens on no network and asks for the password', async () => {
  const { url } = await own()
  const [settings] = await run(
    url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
            current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as data_checksums,
            current_setting('listen_addresses') as listen_addresses, current_setting('server_encoding') as encoding,
            (select rolsuper from pg_roles where rolname = current_user) as is_super`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    encoding: 'UTF8',
    is_super: false,
  })
  await expect(run(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    /password authentication failed/,
  )
  for (const name of ['password', 'server-password', 'superuser-password']) {
    expect((await stat(join(folder, 'postgres', name))).mode & 0o077, name).toBe(0)
  }
  expect((await stat(join(folder, 'postgres/cluster'))).mode & 0o077).toBe(0)
})

test('superuser, owner and server have a password each; the server owns nothing', async () => {
  const { url, runnerUrl } = await own()
  const passwords = await Promise.all(
    ['password', 'server-password', 'superuser-password'].map((name) =>
      readFile(join(folder, 'postgres', name), 'utf8'),
    ),
  )
  expect(new Set(passwords).size).toBe(3)
  const asSuperuser = (password = '') => {
    const admin = new URL(url)
    admin.username = 'postgres'
    admin.password = password
    return run(admin.href, 'select 1 as one')
  }
  for (const password of passwords.slice(0, 2))
    await expect(asSuperuser(password)).rejects.toThrow(/password authentication failed/)
  expect(await asSuperuser(passwords[2])).toEqual([{ one: 1 }])
  await expect(run(runnerUrl, 'create table mine (id integer)')).rejects.toThrow(/permission denied/)
})

test('a folder whose superuser still has the password of the owner gets one of its own', async () => {
  await takeMade()
  const first = await own()
  const before = await readFile(join(folder, 'postgres/password'), 'utf8')
  const admin = new URL(first.url)
  admin.username = 'postgres'
  admin.password = await readFile(join(folder, 'postgres/superuser-password'), 'utf8')
  await run(admin.href, `alter role postgres password '${before}'`)
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')
  await rm(join(folder, 'postgres/superuser-password'))

  await own()
  admin.password = before
  await expect(run(admin.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  admin.password = await readFile(join(folder, 'postgres/superuser-password'), 'utf8')
  expect(await run(admin.href, 'select 1 as one')).toEqual([{ one: 1 }])
})

describe('one process serves a folder', () => {
  test('a second one is refused with one line, a command attaches', async () => {
    await takeMade()
    const first = await own()
    await expect(own()).rejects.toThrow(
      `StartError: The data folder ${folder} is in use by another server (process ${first.child.pid}): stop it, or set DATA_DIR`,
    )
    const command = await own(folder, 'attach')
    expect(command).toMatchObject({ attached: true, pid: first.pid, url: first.url })
    // The lock says so, too, to whoever gets as far as to ask for it.
    await expect(ownFolder(await asAdmin(first.url), folder)).rejects.toThrow(`(process ${first.child.pid})`)
    command.child.kill('SIGTERM')
    await once(command.child, 'exit')
    expect(await run(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of several that start at once on an empty folder one wins, and the others say why not', async () => {
    const results = await Promise.allSettled([own(), own(), own(), own()])
    const winners = results.filter((result) => result.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(String(result.reason)).toMatch(/in use by another server/)
    }
    await delay(500)
    expect(await run(winners[0]?.value.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('one that finds the server of another start in the place of its own takes no lock on it', async () => {
    const inPostgres = (name: string) => join(folder, 'postgres', name)
    const late = own().catch((error: Error) => error.message)
    const slow = owners.at(-1) as ChildProcess
    // It has seen that nobody serves the folder, and makes a cluster.
    await waitUntil(() => existsSync(inPostgres(`cluster-${slow.pid}`)))
    slow.kill('SIGSTOP')
    const first = own()
    const quick = owners.at(-1) as ChildProcess
    // Its server comes up, and it has not taken the lock yet.
    await waitUntil(() => existsSync(inPostgres('cluster/postmaster.pid')), 1)
    quick.kill('SIGSTOP')
    slow.kill('SIGCONT')
    await waitUntil(async () => (await readFile(inPostgres('log'), 'utf8')).includes('already exists'))
    await delay(300)
    quick.kill('SIGCONT')
    const { url } = await first
    expect(await late).toContain(`in use by another server (process ${quick.pid})`)
    expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('one that stood still for longer than a start may take serves the folder that its server has opened', async () => {
    await takeMade()
    const pidFile = join(folder, 'postgres/cluster/postmaster.pid')
    // Its clock goes on by ten minutes once its server is ready, as after a machine slept.
    const clock = `import { existsSync, readFileSync } from 'node:fs'
      const file = ${JSON.stringify(pidFile)}
      const now = Date.now
      Date.now = () => now() + (existsSync(file) && readFileSync(file, 'utf8').includes('ready') ? 600_000 : 0)`
    const preload = `data:text/javascript,${encodeURIComponent(clock)}`
    const { url } = await ownBy(['--import', preload, PROGRAM, folder])
    expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a command on a folder that nobody serves starts the database, and ends it', async () => {
    await takeMade()
    const command = await own(folder, 'attach')
    expect(command.attached).toBe(false)
    command.child.kill('SIGTERM')
    await once(command.child, 'exit')
    // Its parent gone, an ended process is counted until init has taken note of it.
    await expect.poll(() => isAlive(command.pid)).toBe(false)
  })
})

describe('kill -9', () => {
  test('of the process: the database ends with it, and the next start has everything acknowledged', async () => {
    await takeMade()
    const first = await own()
    await run(first.url, 'create table kept (n integer primary key)')
    const acknowledged: number[] = []
    const writing = (async () => {
      const db = openDatabase({ url: first.url, poolSizeMax: 1 })
      const insert = statement('test_insert_kept', 'insert into kept values ($1)')
      try {
        for (let n = 0; ; n += 1) {
          await db.query(insert, [n])
          acknowledged.push(n)
        }
      } catch {
        await db.close()
      }
    })()
    await waitUntil(() => acknowledged.length > 50)
    await kill(first)
    await writing
    await waitUntil(() => !isAlive(first.pid))

    const second = await own()
    const kept = (await run<{ n: number }>(second.url, 'select n from kept order by n')).map((row) => row.n)
    expect(kept.slice(0, acknowledged.length)).toEqual(acknowledged)
    expect(kept.length - acknowledged.length).toBeLessThanOrEqual(1)
  })

  test('of both at once: the next start recovers', async () => {
    await takeMade()
    const first = await own()
    await run(first.url, 'create table kept as select generate_series(1, 1000) as n')
    first.child.kill('SIGKILL')
    process.kill(first.pid, 'SIGKILL')
    await once(first.child, 'exit')
    const second = await own()
    expect(await run(second.url, 'select count(*)::int as count from kept')).toEqual([{ count: 1000 }])
  })

  test('of the database: it is started again, and the same pool goes on', async () => {
    await takeMade()
    const server = await startEmbedded({ dataDir: folder, mode: 'own' })
    const db = openDatabase({ url: server.url })
    try {
      expect(await db.one(selectOne)).toEqual({ one: 1 })
      const { pid: killed } = server
      process.kill(killed, 'SIGKILL')
      // Its sessions answer for a moment longer than it is there.
      const pidFile = join(folder, 'postgres', 'cluster', 'postmaster.pid')
      const served = () => readFile(pidFile, 'utf8').catch(() => '')
      await waitUntil(async () => server.pid !== killed && (await served()).startsWith(`${server.pid}\n`))
      await waitUntil(() =>
        db.one(selectOne).then(
          () => true,
          () => false,
        ),
      )
      await waitUntil(() =>
        own().then(
          () => false,
          (error: Error) => error.message.includes('in use by another server'),
        ),
      )
      // One server, known by its number, and nobody who asks for its lock again and again.
      expect((await readFile(pidFile, 'utf8')).split('\n')[0]).toBe(String(server.pid))
      const count = () =>
        run<{ sessions: number }>(
          server.adminUrl,
          "select sessions::integer from pg_stat_database where datname = 'postgres'",
        )
      const [before] = await count()
      await delay(1_000)
      const [after] = await count()
      expect((after?.sessions ?? 0) - (before?.sessions ?? 0)).toBeLessThan(4)
      expect((await readFile(pidFile, 'utf8')).split('\n')[0]).toBe(String(server.pid))
    } finally {
      await db.close()
      await server.stop()
    }
  })

  test('twenty times in a row, at any moment of the start', async () => {
    await takeMade()
    const first = await own()
    await run(first.url, 'create table kept as select 1 as n')
    await kill(first)
    for (let round = 0; round < 20; round += 1) {
      const child = spawn(process.execPath, [PROGRAM, folder], { stdio: 'ignore' })
      await delay(round * 20)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const last = await own()
    expect(await run(last.url, 'select n from kept')).toEqual([{ n: 1 }])
  })
})

test('a start as root without setpriv says what is missing', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = '/nowhere'
  try {
    await expect(findBinaries({ uid: 1, gid: 1 })).rejects.toThrow(/setpriv/)
  } finally {
    process.env['PATH'] = path
  }
})

test('a server that outlived its process is ended and replaced', async () => {
  await takeMade()
  const first = await own()
  const orphan = await standIn(first)
  await waitUntil(() =>
    run(first.url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  await seesWhoTakesTheLockLate(first.url)
  const second = await own()
  expect(second.attached).toBe(false)
  expect(orphan.exitCode).toBe(0)
  expect(await run(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

/** A server that is young is nobody's orphan yet: whoever looks for who serves the folder finds who takes the lock after a second and more. */
async function seesWhoTakesTheLockLate(url: string): Promise<void> {
  const adminUrl = await asAdmin(url)
  const looking = new Client({ connectionString: adminUrl })
  await looking.connect()
  const seen = waitForOwner(looking)
  await delay(1_500)
  const owner = await ownFolder(adminUrl, folder)
  expect(await seen).toBe(`presale owner ${process.pid}`)
  for (const client of [owner, looking]) await client.end()
}

/** Kills the process and starts its server again the way a machine without setpriv would have left it behind. */
async function standIn(owner: Owner): Promise<ChildProcess> {
  const program = await readlink(`/proc/${owner.pid}/exe`)
  const [, ...args] = (await readFile(`/proc/${owner.pid}/cmdline`, 'utf8')).split('\0').slice(0, -1)
  const cluster = await open(join(folder, 'postgres/cluster'), 'r')
  const { uid, gid } = await cluster.stat()
  await kill(owner)
  await waitUntil(() => !isAlive(owner.pid))
  const orphan = spawn(program, args, {
    cwd: '/',
    uid,
    gid,
    stdio: ['ignore', 'ignore', 'ignore', cluster.fd],
  })
  await cluster.close()
  return orphan
}

test('a process number that another program has by now does not keep it from starting', async () => {
  await takeMade()
  const first = await own()
  await kill(first)
  await waitUntil(() => !isAlive(first.pid))
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid')
  await writeFile(pidFile, `${process.pid}\n/x\n0\n5432\n\n\n`)
  await own()
  expect(existsSync(pidFile)).toBe(true)
})

describe('the folder', () => {
  test('keeps its major version', async () => {
    const first = await own(folder, 'own', '15')
    const version = 'show server_version_num'
    const before = await run(first.url, version)
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    expect(await run((await own()).url, version)).toEqual(before)
  })

  test('of a version that is not installed is refused with one line', async () => {
    await takeMade()
    const first = await own()
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    await writeFile(join(folder, 'postgres/cluster/PG_VERSION'), '99\n')
    await expect(own()).rejects.toThrow(
      /StartError: The database needs PostgreSQL 99, which is not installed/,
    )
  })

  test('may have a path that is too long for a socket', async () => {
    const long = join(folder, 'x'.repeat(100))
    const { url } = await own(long)
    expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('may lie where only its owner can enter', async () => {
    await chmod(folder, 0o700)
    await mkdir(join(folder, 'inner'), { mode: 0o700 })
    const { url } = await own(join(folder, 'inner/data'))
    expect(await run(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('that is a file is refused with one line', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(own(join(folder, 'file'))).rejects.toThrow(
      /^StartError: The data folder .* can't be used: ENOTDIR.*$/,
    )
  })
})
