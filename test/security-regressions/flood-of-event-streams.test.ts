import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STREAMS_NETWORK_MAX } from '../../src/server/live/live.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
afterAll(() => server.close())

const open = (network: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-forwarded-for': network }
    get(`${server.url}/api/v1/live?campaign=1`, { headers, agent: false }, resolve).once('error', reject)
  })

test('one network holds so many event streams and no more; another one, and whoever comes after, has room [RIGHT-25]', async () => {
  const held = await Promise.all(Array.from({ length: STREAMS_NETWORK_MAX }, () => open('203.0.113.9')))
  expect(held.every(({ statusCode }) => statusCode === 200)).toBe(true)
  const refused = await open('203.0.113.9')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30'])
  const elsewhere = await open('203.0.113.10')
  expect(elsewhere.statusCode).toBe(200)

  held.pop()?.destroy()
  await expect
    .poll(async () => {
      const again = await open('203.0.113.9')
      again.destroy()
      return again.statusCode
    })
    .toBe(200)
  for (const stream of [...held, refused, elsewhere]) stream.destroy()
})
