import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addBuyer, brokenRules } from '../../../test/support/campaign.ts'
import { makeTestDatabase } from '../../../test/support/database.ts'
import { openLine } from '../../../test/support/database-line.ts'
import { freePort } from '../../../test/support/database-server.ts'
import { statement } from '../../../test/support/statement.ts'
import { closeApp, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { connectDatabase } from '../database/connect.ts'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../log.ts'

test('a lost database is 503 with Retry-After; all comes back by itself, live events too [STAGE-8]', async () => {
  const database = await makeTestDatabase()
  const line = await openLine(database.url)
  const dataDir = await mkdtemp(join(tmpdir(), 'presale-outage-'))
  const port = await freePort()
  const config = readConfig({
    NODE_ENV: 'test',
    DEMO: 'on',
    RATE_LIMIT: 'off',
    DATABASE_URL: line.url,
    DATA_DIR: dataDir,
    PORT: String(port),
  })
  const db = openDatabase({ url: line.url })
  const context = await createContext(config, db, createLog('silent'))
  const app = await createApp(context)
  const streams: ReturnType<typeof request>[] = []
  try {
    context.live.start()
    await app.listen({ host: config.web.host, port })
    const url = `${config.web.publicUrl}/api/v1`
    const order = () =>
      fetch(`${url}/orders/preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currency: 'USDT', amount: '40', unit: 'token' }),
      })
    let heard = ''
    const stream = request(`${url}/live?campaign=1`, (response) => {
      response.on('data', (bytes) => (heard += bytes))
    })
    streams.push(stream.end())
    expect((await order()).status).toBe(200)

    line.cut()
    for (let count = 0; count < 3; count += 1) {
      const answer = await order()
      expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await fetch(`${config.web.publicUrl}/readyz`)).status).toBe(503)
    expect((await fetch(`${config.web.publicUrl}/healthz`)).status).toBe(200)
    // A browser gets a page, whatever it asked for, and downloads nothing.
    const page = await fetch(`${config.web.publicUrl}/`, { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-disposition')).toBeNull()
    expect(await page.text()).toMatch(/<h1>The service is away for a moment/)
    const legacy = await fetch(`${config.web.publicUrl}/api/controllers/transactions.php?orderToken=x`)
    expect([legacy.status, (await legacy.json()).status]).toEqual([503, 'error'])
    expect(legacy.headers.get('retry-after')).not.toBeNull()

    heard = ''
    line.join()
    await expect.poll(async () => (await order()).status).toBe(200)
    // Whoever kept listening is told to read again, and hears the next change.
    await expect.poll(() => heard).toContain('event: campaign')
    heard = ''
    await database.db.query(statement('test_outage_notify', `select pg_notify('live', '{"campaign": true}')`))
    await expect.poll(() => heard).toContain('event: campaign')
    await addBuyer(database.db)
    expect(await brokenRules(database.db)).toEqual([])
  } finally {
    for (const stream of streams) stream.destroy()
    await Promise.all([context.live.stop(), closeApp(app)])
    await context.close()
    await db.close().catch(() => {})
    line.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a start while the database is away waits for it, and says so once', async () => {
  const database = await makeTestDatabase()
  const line = await openLine(database.url)
  line.cut()
  const told: string[] = []
  const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: line.url })
  const connecting = connectDatabase(config, {
    mode: 'own',
    applicationName: 'presale test',
    onFault: (message) => told.push(message),
  })
  await delay(1_200)
  line.join()
  const connected = await connecting
  expect(told.filter((message) => message.startsWith('waiting for the database'))).toHaveLength(1)
  await connected.close()
  line.close()
  await database.close()
})
