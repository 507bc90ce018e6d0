import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

const token = 'a token of at least thirty-two letters'.replaceAll(' ', '-')
let open: TestServer
let guarded: TestServer

beforeAll(async () => {
  open = await startServer({}, { jobs: false })
  guarded = await startServer({ METRICS_TOKEN: token }, { jobs: false })
})
afterAll(() => Promise.all([open.close(), guarded.close()]))

const read = async (server: TestServer, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/metrics`, { headers })
  return { status: response.status, text: await response.text() }
}

test('metrics are read from this machine or with the token, and never through a proxy by anybody [RIGHT-34]', async () => {
  expect((await read(open)).status).toBe(200)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect((await read(open, { [header]: '203.0.113.9' })).status).toBe(404)

  expect((await read(guarded)).status).toBe(404)
  expect((await read(guarded, { authorization: `Bearer ${token}x` })).status).toBe(404)
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' }
  expect((await read(guarded, headers)).status).toBe(200)
})

test('they tell nobody which version runs [RIGHT-34]', async () => {
  expect((await read(open)).text).not.toContain(process.version)
})
