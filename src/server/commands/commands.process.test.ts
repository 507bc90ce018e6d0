import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOf, password, registerToken } from '../../../test/support/api.ts'
import {
  makeDataDir,
  type RunningServer,
  removeDataDir,
  runProgram,
  startServerProgram,
} from '../../../test/support/program.ts'
import { statement } from '../../../test/support/statement.ts'
import { openDatabase } from '../database/database.ts'
import { type EmbeddedPostgres, startEmbedded } from '../database/embedded.ts'

const commands = (name: string) => `dist/server/${name}.js`
const folders: string[] = []
let server: RunningServer

beforeAll(async () => {
  server = await startServerProgram()
  folders.push(server.dataDir)
})

afterAll(async () => {
  await server.kill()
  await Promise.all(folders.map(removeDataDir))
})

async function makeFolder(): Promise<string> {
  const folder = await makeDataDir()
  folders.push(folder)
  return folder
}

test.each(['ledger-check', 'backup', 'backup-drill', 'secrets-check', 'secrets-rotate'])(
  '%s without the settings of a server says so, and makes no database to answer from',
  async (name) => {
    const dataDir = await makeFolder()
    const { code, output } = await runProgram([commands(name), join(dataDir, 'file')], { DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(output).toMatch(/^There is no database in .+: [a-z ]+ needs the settings of the server, .+\n$/)
    expect(await readdir(dataDir)).toEqual([])
  },
)

describe('beside a running server', () => {
  test('operator add prints a one-time link, and the same login is refused', async () => {
    const add = () =>
      runProgram([commands('operator'), 'add', 'Fin', '--role', 'finance'], { DATA_DIR: server.dataDir })
    const first = await add()
    expect(first.output).toMatch(
      /^Fin \(finance\) sets a password here, once, within 24 hours:\nhttp\S+#\S+\n$/,
    )
    expect(first.code).toBe(0)
    const second = await add()
    expect(second.code).toBe(1)
    expect(second.output.trim().split('\n')).toHaveLength(1)
  })

  test('a reader that has read enough ends nothing halfway', async () => {
    const child = spawn(process.execPath, [commands('ledger-check')], {
      env: { ...process.env, DATA_DIR: server.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const complaints = child.stderr.setEncoding('utf8').toArray()
    const [code] = await once(child, 'exit')
    expect({ code, complaints: (await complaints).join('') }).toEqual({ code: 0, complaints: '' })
  })

  test('a login of one letter is refused in one clear line', async () => {
    const args = [commands('operator'), 'add', 'x', '--role', 'owner']
    const { code, output } = await runProgram(args, { DATA_DIR: server.dataDir })
    expect(code).toBe(1)
    expect(output).toMatch(/^“x” is no login: .+\n$/)
  })

  test('wrong arguments get the usage', async () => {
    for (const line of ['add x', 'add x --role king', 'remove x --role owner', 'add x --rule owner']) {
      const { code, output } = await runProgram([commands('operator'), ...line.split(' ')], {
        DATA_DIR: server.dataDir,
      })
      expect(code, line).toBe(1)
      expect(output, line).toContain('npm run operator -- add LOGIN --role')
    }
  })

  test('a usage names the command as it is called here', async () => {
    const usage = async (environment: Record<string, string>) =>
      (await runProgram([commands('backup')], { DATA_DIR: server.dataDir, ...environment })).output
    expect(await usage({})).toContain('Usage: npm run backup -- FILE')
    expect(await usage({ PRESALE_COMMAND: 'presale' })).toContain('Usage: presale backup FILE')
  })

  test('the ledger is proven, and a broken one is shown with its rows', async () => {
    const check = () => runProgram([commands('ledger-check')], { DATA_DIR: server.dataDir })
    expect(await check()).toMatchObject({ code: 0, output: expect.stringMatching(/All \d+ rules hold\.\n$/) })
    const attached = await startEmbedded({ dataDir: server.dataDir, mode: 'attach' })
    const db = openDatabase({ url: attached.url })
    await db.query(
      statement('test_break_ledger', 'update campaign_capacity set granted_tokens = granted_tokens + 1'),
    )
    const broken = await check()
    expect(broken.code).toBe(1)
    expect(broken.output).toMatch(/broken {3}grants_are_counted.*\n.*granted_tokens/)
    await db.query(
      statement('test_mend_ledger', 'update campaign_capacity set granted_tokens = granted_tokens - 1'),
    )
    await db.close()
  })

  test('a restore onto it is refused', async () => {
    const { code, output } = await runProgram([commands('restore'), 'x', '--replace'], {
      DATA_DIR: server.dataDir,
    })
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
  })
})

describe('a backup taken while the server runs', () => {
  let file: string

  beforeAll(async () => {
    file = join(await makeFolder(), 'backup')
    const { code, output } = await runProgram([commands('backup'), file], { DATA_DIR: server.dataDir })
    expect(code).toBe(0)
    expect(output).toContain('SECRET_KEY is not in it')
    const claimFile = await readFile(`${file}.claim.html`)
    expect(output).toContain(createHash('sha256').update(claimFile).digest('hex'))
    const served = await fetch(`${server.url}/claim.html`)
    expect(served.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await served.arrayBuffer()).equals(claimFile)).toBe(true)
  })

  test('comes back on another embedded database, which then serves', async () => {
    const dataDir = await makeFolder()
    const refused = await runProgram([commands('restore'), file], { DATA_DIR: dataDir })
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('made under another SECRET_KEY')
    await copyFile(join(server.dataDir, 'secret-key'), join(dataDir, 'secret-key'))
    const { code, output } = await runProgram([commands('restore'), file], { DATA_DIR: dataDir })
    expect(output).toContain("The ledger's rules hold.")
    expect(code).toBe(0)
    const restored = await startServerProgram({}, dataDir)
    expect(await (await fetch(`${restored.url}/api/v1/campaign`)).json()).toMatchObject({
      settings: { name: 'iToken' },
    })
    await restored.kill()
  })

  test('comes back on an external database of an older version', async () => {
    const external: EmbeddedPostgres = await startEmbedded({
      dataDir: await makeFolder(),
      mode: 'own',
      major: 15,
    })
    try {
      const SECRET_KEY = await readFile(join(server.dataDir, 'secret-key'), 'utf8')
      const environment = {
        DATABASE_URL: external.url,
        MIGRATE_DATABASE_URL: external.ownerUrl,
        DATA_DIR: await makeFolder(),
        SECRET_KEY,
      }
      const { code } = await runProgram([commands('restore'), file], environment)
      expect(code).toBe(0)
      const checked = await runProgram([commands('ledger-check')], environment)
      expect(checked.code).toBe(0)
    } finally {
      await external.stop()
    }
  })

  // Two programs and a database of their own, one after the other.
  test('is drilled: restored apart, proven and recorded, and nothing of it stays', async () => {
    const drill = (...args: string[]) =>
      runProgram([commands('backup-drill'), ...args], { DATA_DIR: server.dataDir })
    const { code, output } = await drill(file)
    expect(output).toContain('the drill is recorded')
    expect(code).toBe(0)
    const damaged = join(await makeFolder(), 'damaged')
    await writeFile(damaged, (await readFile(file)).subarray(0, -1))
    expect(await drill(damaged)).toMatchObject({ code: 1, output: expect.stringContaining("can't be used") })
    expect((await readdir(server.dataDir)).filter((name) => name.startsWith('drill-'))).toEqual([])
    const attached = await startEmbedded({ dataDir: server.dataDir, mode: 'attach' })
    const db = openDatabase({ url: attached.url })
    const drills = await db.query<{ rows: string }>(
      statement('test_drills', 'select rows from backup_drills order by worked_at'),
    )
    await db.close()
    expect(drills).toHaveLength(1)
    expect(Number(drills[0]?.rows)).toBeGreaterThan(0)
  })
})

// Two programs, and the pause in which a running server takes on the new key.
test('SECRET_KEY is replaced under a running server, which goes on', async () => {
  const email = 'ann@example.org'
  await registerToken(server.url, email)
  const logIn = () => apiOf(server.url)('POST', '/session', { email, password, as: 'token' })
  const keyFile = join(server.dataDir, 'secret-key')
  const [old] = (await readFile(keyFile, 'utf8')).split('\n')
  const rotate = (option: string) =>
    runProgram([commands('secrets-rotate'), option], { DATA_DIR: server.dataDir })

  const rotated = await rotate('--new-key')
  expect(rotated.output).toContain('Everything is sealed under the present key.')
  expect(rotated.code).toBe(0)
  const [present, kept] = (await readFile(keyFile, 'utf8')).split('\n')
  expect([present === old, kept]).toEqual([false, old])
  await logIn()

  expect((await rotate('--forget-old')).code).toBe(0)
  expect((await readFile(keyFile, 'utf8')).trim()).toBe(present)
  await logIn()
})
