import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, password, sendJson } from '../../../test/support/api.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'

const owner = { login: 'owner', password }
let server: TestServer

beforeAll(async () => {
  server = await startServer({
    RATE_LIMIT: 'on',
    OPERATOR_LOGIN: owner.login,
    OPERATOR_PASSWORD: owner.password,
  })
})
afterAll(() => server?.close())

const send = (method: string, file: string, body: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, token ? bearer(token) : {})

test('a grant that needs two operators is 409 and credits nothing', async () => {
  const { body } = await send('POST', 'admin.php', owner)
  const email = 'two.eyes@example.org'
  await send('POST', 'users.php', {
    type: 'reg',
    name: 'Two Eyes',
    email,
    phone: '+37255550000',
    pass: 'a passphrase for two',
  })
  await server.database.db.query(
    statement(
      'test_two_eyes',
      `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`,
    ),
  )
  const refused = await send('PUT', 'users.php', { admin_token: body['token'], email, balance: '5' })
  expect(refused).toMatchObject({ status: 409, body: { status: 'error', code: 'second_operator_required' } })
  const { count } = await server.database.db.one<{ count: string }>(
    statement('test_no_postings', 'select count(*) as count from postings'),
  )
  expect(count).toBe('0')
})

test('too many attempts are 429 with Retry-After', async () => {
  const answers = []
  for (let attempt = 0; attempt < 12; attempt += 1)
    answers.push(
      await send('POST', 'users.php', { type: 'login', email: 'guess@example.org', pass: 'wrong' }),
    )
  const last = answers.at(-1)
  expect(last).toMatchObject({ status: 429, body: { status: 'error', code: 'too_many_requests' } })
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
})
