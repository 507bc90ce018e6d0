import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A password reset must not reveal by its duration whether an account exists.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
  await registerToken(server.url, 'known@example.org')
})
afterAll(() => server?.close())

async function msFor(email: string): Promise<number> {
  const before = performance.now()
  const { status } = await sendJson('POST', `${server.url}/api/v1/account/password-resets`, { email })
  expect(status).toBe(204)
  return performance.now() - before
}

test('a known and an unknown address are answered after the same wait, far longer than the work', async () => {
  for (const email of ['known@example.org', 'unknown@example.org', 'known@example.org', 'other@example.org'])
    expect(await msFor(email)).toBeGreaterThan(190)
})
