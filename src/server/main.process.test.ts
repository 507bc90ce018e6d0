import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { slowness } from '../../test/support/patience.ts'
import {
  makeDataDir,
  type RunningServer,
  removeDataDir,
  runProgram,
  startProgram,
  startServerProgram,
} from '../../test/support/program.ts'
import { statement } from '../../test/support/statement.ts'
import { until } from '../../test/support/until.ts'
import { openDatabase } from './database/database.ts'
import { startEmbedded } from './database/embedded.ts'
import { version } from './version.ts'

const JOBS_SESSIONS = statement(
  'test_jobs_sessions',
  "select from pg_stat_activity where application_name = 'presale jobs'",
)

let running: RunningServer[] = []
let folders: string[] = []

afterEach(async () => {
  await Promise.all(running.map((server) => server.kill()))
  await Promise.all(folders.map(removeDataDir))
  running = []
  folders = []
})

async function start(environment: Record<string, string> = {}, dataDir?: string): Promise<RunningServer> {
  const server = await startServerProgram(environment, dataDir)
  running.push(server)
  folders.push(server.dataDir)
  return server
}

async function makeFolder(): Promise<string> {
  const folder = await makeDataDir()
  folders.push(folder)
  return folder
}

test('it answers, says where, and ends with 0 when told to', async () => {
  const server = await start()
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
  expect(server.ownerLink).toMatch(/\/operator#/)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain(`presale_build_info{version="${version}"} 1`)
  const stream = await fetch(`${server.url}/api/v1/live?campaign=1`)
  const before = Date.now()
  expect(await server.stop()).toBe(0)
  expect(Date.now() - before).toBeLessThan(5_000 * slowness)
  await stream.body?.cancel().catch(() => undefined)

  const again = await start({}, server.dataDir)
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
  expect(again.ownerLink).toBeUndefined()
})

test('a server that still waits for its database ends soon when told to', async () => {
  const program = startProgram(['dist/server/main.js'], {
    DATABASE_URL: 'postgres://127.0.0.1:1/presale',
    DATA_DIR: await makeFolder(),
    PORT: '0',
  })
  await until(() => program.output().includes('waiting for the database'))
  const before = Date.now()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(Date.now() - before).toBeLessThan(5_000 * slowness)
})

test('a request under way is answered while it stops, and a new one is not', async () => {
  const server = await start()
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'no such password' })
  const slow = fetch(`${server.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'presale', origin: server.url },
    // Sent in two halves, the second while the server is stopping.
    body: new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(body.slice(0, 10)))
        await new Promise((resolve) => setTimeout(resolve, 800))
        controller.enqueue(new TextEncoder().encode(body.slice(10)))
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const before = Date.now()
  const stopped = server.stop()
  await new Promise((resolve) => setTimeout(resolve, 200))
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  expect((await slow).status).toBe(401)
  expect(await stopped).toBe(0)
  expect(Date.now() - before).toBeLessThan(5_000 * slowness)
})

describe('what keeps it from starting is one line, and the exit code is not 0', () => {
  test('a port in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    const address = other.address()
    const port = address && typeof address === 'object' ? address.port : 0
    const { code, output } = await runProgram(['dist/server/main.js'], {
      PORT: String(port),
      DATA_DIR: await makeFolder(),
    })
    other.close()
    expect(code).toBe(1)
    expect(lastLine(output)).toBe(`Port ${port} is in use: stop what uses it, or set PORT`)
  })

  test('a data folder in use', async () => {
    const server = await start()
    const { code, output } = await runProgram(['dist/server/main.js'], {
      PORT: '0',
      DATA_DIR: server.dataDir,
    })
    expect(code).toBe(1)
    expect(output).toBe(
      `The data folder ${server.dataDir} is in use by another server (process ${server.child.pid}): stop it, or set DATA_DIR\n`,
    )
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test('a data folder that can not be used', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'file'), '')
    const { code, output } = await runProgram(['dist/server/main.js'], { DATA_DIR: join(folder, 'file') })
    expect(code).toBe(1)
    expect(output).toMatch(/^The data folder \S+ can't be used: ENOTDIR.*\n$/)
  })

  test('a wrong setting', async () => {
    const { code, output } = await runProgram(['dist/server/main.js'], { PORT: 'http' })
    expect(code).toBe(1)
    expect(output).toBe('PORT must be a whole number from 0 to 65535\n')
  })

  test('an external database that refuses', async () => {
    const { code, output } = await runProgram(['dist/server/main.js'], {
      DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:notaport/none',
      DATA_DIR: await makeFolder(),
    })
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toHaveLength(1)
  })
})

test('as root it may lie where only root can enter', async () => {
  const folder = await makeFolder()
  await chmod(folder, 0o700)
  await mkdir(join(folder, 'inner'), { mode: 0o700 })
  const server = await start({}, join(folder, 'inner/data'))
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('web and jobs may be processes of their own on one folder', async () => {
  const server = await start()
  const jobs = startProgram(['dist/server/main.js', '--only', 'jobs'], { DATA_DIR: server.dataDir })
  const web = startProgram(['dist/server/main.js', '--only=web'], { PORT: '0', DATA_DIR: server.dataDir })
  await until(() => /^Presale: /m.test(web.output()))
  const attached = await startEmbedded({ dataDir: server.dataDir, mode: 'attach' })
  const db = openDatabase({ url: attached.url })
  await until(async () => (await db.query(JOBS_SESSIONS)).length > 0)
  await db.close()
  for (const program of [jobs, web]) {
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('beside the packages that are no development ones alone, it starts and draws pages and pictures', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(lock.packages as Record<string, { dev?: boolean }>)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)))
  const copy = await makeFolder()
  // What the container copies, package.json with them.
  const container = await readFile(join(root, 'deploy/container/Containerfile'), 'utf8')
  const copied = [...container.matchAll(/^COPY (\S+) /gm)].map(([, path = '']) => path)
  expect(copied).toContain('dist')
  for (const path of [...copied.filter((folder) => folder !== 'node_modules'), ...installed])
    await cp(join(root, path), join(copy, path), { recursive: true })
  const program = startProgram(['dist/server/main.js'], { PORT: '0', DATA_DIR: join(copy, 'data') }, copy)
  await until(() => /^Presale: /m.test(program.output()))
  const url = /^Presale: +(\S+)$/m.exec(program.output())?.[1]
  expect((await fetch(`${url}/`)).status).toBe(200)
  for (const picture of ['og/en', 'app-icon/192'])
    expect((await fetch(`${url}/${picture}.png`)).headers.get('content-type')).toBe('image/png')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})

test('kill -9: the next start on the folder is ready', async () => {
  const server = await start()
  await server.kill()
  const again = await start({}, server.dataDir)
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
})

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
