import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { ApiFailure, acceptInvitation, apiOf, operatorToken, password } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A key or a session made with a stolen password must end with that password, with the role, and with the access.

let server: TestServer
let owner: ReturnType<typeof apiOf>
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  owner = apiOf(server.url, await operatorToken(server.url, 'owner'))
})
afterAll(() => server?.close())

interface Operator {
  id: string
  revision: number
}

let serial = 0
/** An owner of their own, with a session and a key. */
async function staffed() {
  const login = `other${(serial += 1)}`
  const invited = { login, role: 'owner' }
  const { operator, link } = await owner<{ operator: Operator; link: string }>(
    'POST',
    '/operator/operators',
    invited,
  )
  await acceptInvitation(server.url, link)
  const session = await operatorToken(server.url, login)
  const { key } = await apiOf(server.url, session)<{ key: string }>('POST', '/operator/api-keys', {
    name: 'Books',
    scopes: ['orders:read'],
    proof: { password },
  })
  return { ...operator, login, session, key }
}

const opens = async (token: string) => {
  try {
    await apiOf(server.url, token)('GET', '/operator/orders')
    return true
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return false
    throw error
  }
}

test('an own new password ends the own keys and the other sessions [RIGHT-8]', async () => {
  const { login, session, key } = await staffed()
  const other = await operatorToken(server.url, login)
  expect([await opens(key), await opens(other)]).toEqual([true, true])
  await apiOf(server.url, session)('POST', '/operator/password', {
    name: login,
    oldPassword: password,
    newPassword: 'gravel and violets 8',
  })
  expect([await opens(key), await opens(other), await opens(session)]).toEqual([false, false, true])
})

test('another role ends keys and sessions [RIGHT-8]', async () => {
  const { id, revision, session, key } = await staffed()
  await owner('PATCH', `/operator/operators/${id}`, { revision, role: 'finance' })
  expect([await opens(key), await opens(session)]).toEqual([false, false])
})

test('disabling ends them for good: enabled again, the key stays closed [RIGHT-8]', async () => {
  const { id, revision, session, key } = await staffed()
  const { revision: next } = await owner<Operator>('PATCH', `/operator/operators/${id}`, {
    revision,
    isDisabled: true,
  })
  await owner('PATCH', `/operator/operators/${id}`, { revision: next, isDisabled: false })
  expect([await opens(key), await opens(session)]).toEqual([false, false])
})

test('a renewed link ends them before it is used [RIGHT-8]', async () => {
  const { id, session, key } = await staffed()
  await owner('POST', `/operator/operators/${id}/invitation`, { removesSecondFactor: false })
  expect([await opens(key), await opens(session)]).toEqual([false, false])
})

test('a channel of who had the password hears nothing more after another password, role or loss of access [RIGHT-22]', async () => {
  const { context } = server
  const ends: ((other: Awaited<ReturnType<typeof staffed>>) => Promise<unknown>)[] = [
    ({ login, session }) =>
      apiOf(server.url, session)('POST', '/operator/password', {
        name: login,
        oldPassword: password,
        newPassword: 'gravel and violets 8',
      }),
    ({ id, revision }) => owner('PATCH', `/operator/operators/${id}`, { revision, role: 'finance' }),
    ({ id, revision }) => owner('PATCH', `/operator/operators/${id}`, { revision, isDisabled: true }),
  ]
  for (const end of ends) {
    const other = await staffed()
    await apiOf(server.url, other.session)('POST', '/operator/channels', {
      target: { kind: 'webhook', url: 'https://evil.example.org/hook' },
      notices: ['order_created'],
    })
    await context.db.query(
      sql`update operator_channels set proven_at = now() where operator_id = ${other.id}`,
    )
    await end(other)
    const { heard } = await context.db.one<{ heard: number }>(
      sql`select count(*)::integer as heard from operator_channels where operator_id = ${other.id} and proven_at is not null`,
    )
    expect(heard).toBe(0)
  }
})
