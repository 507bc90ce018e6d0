import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, sendJson } from '../../../test/support/api.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'

const owner = { login: 'owner', password }
const client = { network: '127.0.0.1', userAgent: 'test' }
let server: TestServer

beforeAll(async () => {
  server = await startServer(
    { OPERATOR_LOGIN: owner.login, OPERATOR_PASSWORD: owner.password },
    { jobs: false },
  )
})
afterAll(() => server?.close())

async function post(file: string, data: object) {
  const { status, body } = await sendJson('POST', `${server.url}/api/controllers/${file}`, data)
  return { status, body }
}

const second = (ago: number) => Math.floor(Date.now() / 1000) - ago
const asked = {
  status: 401,
  body: { status: 'error', message: 'second_factor_required', code: 'second_factor_required' },
}

test('an operator with a second factor is asked for the code, and each code serves once', async () => {
  const { operators } = server.context
  const { operatorId } = await operators.logIn(owner, client, 'token')
  const holder = { kind: 'operator', id: operatorId } as const
  const { secret } = await operators.factors.beginTotp(server.context.db, holder, {
    issuer: 'x',
    label: owner.login,
  })
  await operators.factors.confirmTotp(
    server.context.db,
    holder,
    await generate({ secret, epoch: second(30) }),
  )

  expect(await post('admin.php', owner)).toEqual(asked)
  expect(await post('admin.php', { ...owner, code: '' })).toEqual(asked)
  // Whether there is a second factor is nobody's to learn without the password.
  expect(await post('admin.php', { ...owner, password: 'wrong' })).toMatchObject({
    status: 401,
    body: { message: 'Login failed.' },
  })
  const code = await generate({ secret, epoch: second(0) })
  expect(await post('admin.php', { ...owner, code })).toEqual({
    status: 200,
    body: { status: 'success', token: expect.any(String) },
  })
  expect(await post('admin.php', { ...owner, code })).toMatchObject({
    status: 401,
    body: { status: 'error', code: 'second_factor_wrong' },
  })
})

test('a buyer with a second factor is asked for the code beside the password', async () => {
  const { accounts } = server.context
  const email = 'two.steps@example.org'
  const pass = 'gravel and violets 9'
  const buyer = await accounts.register(
    { name: 'Ann', email, phone: '+37255550000', password: pass },
    client,
    'token',
  )
  const holder = { kind: 'user', id: buyer.userId } as const
  const { secret } = await accounts.factors.beginTotp(server.context.db, holder, {
    issuer: 'x',
    label: email,
  })
  await accounts.factors.confirmTotp(server.context.db, holder, await generate({ secret, epoch: second(30) }))

  const login = { type: 'login', email, pass }
  expect(await post('users.php', login)).toEqual(asked)
  const code = await generate({ secret, epoch: second(0) })
  expect(await post('users.php', { ...login, code })).toEqual({
    status: 200,
    body: { status: 'success', user: { token: expect.any(String), email } },
  })
})
