import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

interface Described {
  readonly paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>
}
const { paths }: Described = JSON.parse(
  await readFile(new URL('../../dist/openapi.json', import.meta.url), 'utf8'),
)
/** The body limits by audience, and routes with larger ones for strangers. */
const BYTES = { visitor: 4_096, buyer: 16_384, operator: 65_536 }
const LARGER = ['/session/passkey', '/operator/session/passkey', '/debts/claim']
const FILES = '/api/v1/operator/uploads'

let server: TestServer

beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server.close())

/** A body of exactly so many bytes, of the kind that costs most to read. */
const bodyOf = (bytes: number) => `{"x":[${'"",'.repeat(Math.ceil(bytes / 3))}`.slice(0, bytes - 4) + '""]}'

test('no route reads more than its own kind of body, whoever sends it [RIGHT-25]', async () => {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([method, { security }]) => {
        const [audience = 'visitor'] = Object.keys(security?.[0] ?? {}) as (keyof typeof BYTES)[]
        const isLarger = LARGER.some((larger) => path === `/api/v1${larger}`)
        return { method: method.toUpperCase(), path, bytes: isLarger ? 16_384 : BYTES[audience] }
      }),
  )
  expect(routes.length).toBeGreaterThan(100)
  for (const { method, path, bytes } of routes) {
    if (path === FILES) continue
    const url = server.url + path.replace(/\{\w+\}/g, '1')
    const send = (size: number) => sendJson(method, url, bodyOf(size))
    const [within, over] = [await send(bytes), await send(bytes + 1)]
    expect([method, path, within.code === 'too_large', over.code]).toEqual([method, path, false, 'too_large'])
  }
})

test('a page’s form and an address without a route take no more than a stranger’s body', async () => {
  for (const path of ['/nothing', '/login', '/updates/follow'])
    expect((await sendJson('POST', server.url + path, bodyOf(20_000))).status, path).toBe(413)
})
