import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import {
  acceptInvitation,
  apiOf,
  bearer,
  operatorToken,
  password,
  registerToken,
  sendJson,
} from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// After a logout or an ended session a stream must send nothing more.

let server: TestServer
let owner: ReturnType<typeof apiOf>
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  owner = apiOf(server.url, await operatorToken(server.url, 'owner'))
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})

/** Opens a stream, does what ends its session, and waits for the end of the stream. */
async function endsWith(token: string, end: () => Promise<unknown>, query = ''): Promise<void> {
  const stream = await fetch(`${server.url}/api/v1/live${query}`, { headers: bearer(token) })
  expect(stream.status).toBe(200)
  let isOver = false
  void stream.text().then(() => (isOver = true))
  await end()
  await until(() => isOver)
}

test('a buyer’s stream ends with its session: by a log-out, from another one, by a new password, a reset, a second factor [RIGHT-41]', async () => {
  let serial = 0
  const ends: ((token: string, other: string, email: string) => Promise<unknown>)[] = [
    (token) => call('DELETE', '/session', undefined, token),
    (_token, other) => call('DELETE', '/account/sessions', undefined, other),
    (_token, other) =>
      call(
        'POST',
        '/account/password',
        { currentPassword: password, newPassword: 'another sentence 88' },
        other,
      ),
    async (_token, _other, email) => {
      await call('POST', '/account/password-resets', { email })
      const token = await openLink(server.context.db, 'reset_password', email)
      return call('POST', '/account/password-resets/use', { token, password: 'another sentence 88' })
    },
  ]
  for (const end of ends) {
    const email = `stream${(serial += 1)}@example.org`
    const token = await registerToken(server.url, email)
    const other = (await call('POST', '/session', { email, password, as: 'token' })).body.token as string
    await endsWith(token, () => end(token, other, email))
  }
})

test('an operator’s stream ends with the access, and a key’s with the key [RIGHT-41]', async () => {
  const { operator, link } = await owner<{ operator: { id: string; revision: number }; link: string }>(
    'POST',
    '/operator/operators',
    { login: 'clerk', role: 'support' },
  )
  await acceptInvitation(server.url, link)
  const token = await operatorToken(server.url, 'clerk')
  const key = await owner<{ id: number; key: string }>('POST', '/operator/api-keys', {
    name: 'Books',
    scopes: ['orders:read'],
    proof: { password },
  })
  await endsWith(key.key, () => owner('DELETE', `/operator/api-keys/${key.id}`), '?operator=1')
  const disable = { revision: operator.revision, isDisabled: true }
  await endsWith(token, () => owner('PATCH', `/operator/operators/${operator.id}`, disable), '?operator=1')
})

test('a stream whose session ended before it was joined is not kept [RIGHT-41]', async () => {
  const { db, live } = server.context
  const id = '00000000-0000-4000-8000-000000000001'
  await db.query(sql`select pg_notify('live', ${JSON.stringify({ sessions: [id] })})`)
  const ended = () => {
    let isOver = false
    const end = () => (isOver = true)
    const response = { write: () => {}, on: () => {}, end, writableLength: 0 }
    live.join(response as never, [{ campaign: true }], '198.51.100.9', id)
    return isOver
  }
  await until(ended)
})
