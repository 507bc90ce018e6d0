import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

// A program of the legacy API reads a key and saves it again: the mask must not become the secret.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const legacy = (method: string, file: string, body?: unknown, headers: object = {}) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, headers)

test('a masked secret that is sent back leaves the secret [RIGHT-6]', async () => {
  const { body } = await legacy('POST', 'admin.php', { login: 'owner', password })
  const admin = { authorization: `Bearer ${body.token}` }
  const key = { api_key: 'G-ABC123', location: '/', api_key_secondary: 'the real secret 1a2b' }
  const { id } = (await legacy('POST', 'pixels.php', key, admin)).body
  const read = async () => (await legacy('GET', 'pixels.php', undefined, admin)).body.api_keys[0]
  const stored = () =>
    server.database.db.query(
      statement('test_secondary', 'select secondary_encrypted, secondary_hint from analytics_keys'),
    )
  const before = await stored()
  const { api_key_secondary } = await read()
  expect(api_key_secondary).toBe('••••1a2b')
  const again = { ...key, location: '/updates', api_key_secondary }
  expect((await legacy('PUT', `pixels.php?id=${id}`, again, admin)).status).toBe(200)
  expect(await read()).toMatchObject({ location: '/updates', api_key_secondary: '••••1a2b' })
  expect(await stored()).toEqual(before)
})
