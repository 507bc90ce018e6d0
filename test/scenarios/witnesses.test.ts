import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/database-server.ts'
import { makeFolder } from '../support/folders.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// Two sales that look at each other's journal, as their operators set them up: each starts once, names its keys, and is started again.

interface Sale {
  database: TestDatabase
  dataDir: string
  settings: Record<string, string>
}

let sales: [Sale, Sale]
let servers: TestServer[] = []

async function saleOf(): Promise<Sale> {
  const database = await makeTestDatabase({ holds: 'demo' })
  const dataDir = await makeFolder('witnesses')
  return { database, dataDir, settings: { PORT: String(await freePort()), DATA_DIR: dataDir } }
}

const startBoth = async () => {
  servers = await Promise.all(sales.map(({ settings, database }) => startServer(settings, { database })))
}
const stopBoth = () => Promise.all(servers.map((server) => server.close()))
const read = async (url: string) => (await fetch(url)).text()

beforeAll(async () => {
  sales = [await saleOf(), await saleOf()]
  await startBoth()
  const keys = await Promise.all(
    servers.map(async ({ url }) => {
      await until(async () => (await fetch(`${url}/journal/vkey`)).ok)
      return { log: await read(`${url}/journal/vkey`), witness: await read(`${url}/witness/vkey`), url }
    }),
  )
  await stopBoth()
  sales.forEach(({ settings }, n) => {
    const other = keys[1 - n]
    settings['WITNESS_FOR'] = other?.log.trim() ?? ''
    settings['JOURNAL_WITNESSES'] = `${other?.witness.trim()} ${other?.url}/witness`
  })
  await startBoth()
})
afterAll(async () => {
  await stopBoth()
  for (const { database, dataDir } of sales) {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('two servers cosign each other’s journal, and say so on their pages [LOG-30]', async () => {
  for (const [n, { url }] of servers.entries()) {
    const other = servers[1 - n]?.url ?? ''
    const name = `${new URL(other).host}/witness`
    await until(async () => (await read(`${url}/journal/checkpoint`)).includes(`\n— ${name} `))
    const page = await read(`${url}/transparency`)
    expect(page).toContain(name)
    expect(page).not.toContain('No witness has confirmed this list yet')
    // The witness serves the log's own checkpoint.
    const [origin = ''] = (await read(`${url}/journal/checkpoint`)).split('\n')
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(origin))).toString('hex')
    const seen = async () => (await read(`${other}/witness/${hash}/checkpoint`)).split('\n\n')[0]
    await until(async () => (await seen()) === (await read(`${url}/journal/checkpoint`)).split('\n\n')[0])
  }
})
