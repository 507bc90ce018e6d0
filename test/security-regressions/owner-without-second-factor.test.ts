import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorRoutes } from '../../src/shared/api/operators.ts'
import { bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { addOperator } from '../support/campaign.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

// One phished password of an owner must not be the whole sale: outside a demo their roles work with a second factor only.

let server: TestServer
beforeAll(async () => {
  server = await startServer(
    { DEMO: 'off', OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password },
    { jobs: false },
  )
})
afterAll(() => server?.close())

const call = (token: string, method: string, path: string, body?: unknown) =>
  sendJson(method, `${server.url}${path}`, body, bearer(token))

test('an owner without one reaches the set-up of a second factor only, by no entry point anything else [RIGHT-4]', async () => {
  const token = await operatorToken(server.url, 'owner')
  const me = await call(token, 'GET', '/api/v1/operator/session')
  expect(me.body).toMatchObject({ lacksSecondFactor: true, hasSecondFactor: false })
  for (const [method, path] of [
    ['GET', '/api/v1/operator/campaign'],
    ['GET', '/api/v1/operator/users'],
    ['GET', '/api/v1/operator/approval-requests'],
    ['POST', '/api/v1/operator/api-keys'],
    [operatorRoutes.invite.method, `/api/v1${operatorRoutes.invite.path}`],
    ['GET', '/api/v1/operator/exports/users.csv'],
    ['POST', '/api/v1/operator/uploads'],
    ['GET', '/api/v1/live?operator=1'],
    ['GET', '/api/controllers/users.php'],
    ['PUT', '/api/controllers/mainCurrency.php'],
  ] as const) {
    const { status, body } = await call(token, method, path, method === 'GET' ? undefined : {})
    expect([path, status, body.code ?? body.error.code]).toEqual([path, 403, 'second_factor_missing'])
  }

  const { operator_id: id = '' } = (await server.context.operators.authenticate(token)) ?? {}
  await switchOnApp(server.context, 'operator', id)
  expect((await call(token, 'GET', '/api/v1/operator/users')).status).toBe(200)
  expect((await call(token, 'GET', '/api/controllers/users.php')).status).toBe(200)
})

test('who can’t move money needs none [RIGHT-4]', async () => {
  const { db } = server.context
  const id = await addOperator(db, 'support')
  const { password_hash } = await db.one<{ password_hash: string }>(
    statement('test_owner_hash', `select password_hash from operators where role = 'owner'`),
  )
  const { login } = await db.one<{ login: string }>(
    statement('test_set_hash', 'update operators set password_hash = $2 where id = $1 returning login'),
    [id, password_hash],
  )
  const token = await operatorToken(server.url, login)
  expect((await call(token, 'GET', '/api/v1/operator/users')).status).toBe(200)
})
