import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorRoutes } from '../../src/shared/api/operators.ts'
import { acceptInvitation, apiOf, bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { addOperator } from '../support/campaign.ts'
import { createPasskeyDevice } from '../support/passkey.ts'
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
const own = (token: string, method: string, path: string, body?: unknown) =>
  call(token, method, `/api/v1/operator${path}`, body)

async function reaches(token: string, path = '/api/v1/operator/users'): Promise<string> {
  const { status, body } = await call(token, 'GET', path)
  return status === 200 ? 'all' : (body.error?.code ?? body.code)
}

/** Switches an app on as its owner does, and answers its codes: a code serves once, so that each is of a step of its own. */
async function switchOnApp(token: string): Promise<(step: number) => Promise<string>> {
  const { secret } = (await own(token, 'POST', '/second-factor/totp', { proof: { password } })).body
  const now = Math.floor(Date.now() / 1000)
  const code = (step: number) => generate({ secret, epoch: now + 30 * step })
  expect((await own(token, 'POST', '/second-factor/totp/confirm', { code: await code(-1) })).status).toBe(200)
  return code
}

async function addPasskey(token: string, code: string) {
  const device = createPasskeyDevice(server.url)
  const options = (await own(token, 'POST', '/passkeys/options', { proof: { password, code } })).body
  const added = await own(token, 'POST', '/passkeys', { name: 'Desk', answer: device.register(options) })
  return { status: added.status, id: added.body?.passkey?.id as string }
}

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
})

describe('what a session may is what was proved in it, whatever the account has', () => {
  test('a session by password alone is not lifted by the factor that another one sets up: it ends [RIGHT-4, RIGHT-8]', async () => {
    const [thief, owner] = [
      await operatorToken(server.url, 'owner'),
      await operatorToken(server.url, 'owner'),
    ]
    const code = await switchOnApp(owner)
    expect([await reaches(thief), await reaches(owner)]).toEqual(['session_ended', 'all'])
    expect(await reaches(owner, '/api/controllers/users.php')).toBe('all')
    const byCode = await sendJson('POST', `${server.url}/api/v1/operator/session`, {
      login: 'owner',
      password,
      code: await code(0),
      as: 'token',
    })
    expect(await reaches(byCode.body.token)).toBe('all')

    // The factor gone, nothing that was proved by it is left.
    const proof = { password, code: await code(1) }
    expect((await own(owner, 'POST', '/second-factor/totp/removal', { proof })).status).toBe(204)
    expect([await reaches(byCode.body.token), await reaches(owner)]).toEqual([
      'session_ended',
      'second_factor_missing',
    ])
  })

  test('a row that says nothing of a factor opens nothing, although its account has one [RIGHT-4]', async () => {
    const token = await operatorToken(server.url, 'owner')
    await switchOnApp(token)
    const { db } = server.context
    await db.query(
      statement('test_no_factor_shown', 'update operator_sessions set has_second_factor = false'),
    )
    expect(await reaches(token)).toBe('second_factor_missing')
    expect((await call(token, 'GET', '/api/v1/operator/session')).body).toMatchObject({
      lacksSecondFactor: true,
      hasSecondFactor: true,
    })
    await db.query(statement('test_no_factor_left', 'delete from totp_secrets'))
  })
})

test('each change of a factor ends the other sessions and the API keys of its operator [RIGHT-8]', async () => {
  const owner = await operatorToken(server.url, 'owner')
  const ownersCode = await switchOnApp(owner)
  const invited = await apiOf(server.url, owner)<{ link: string }>('POST', '/operator/operators', {
    login: 'clerk',
    role: 'support',
    proof: { password, code: await ownersCode(0) },
  })
  await acceptInvitation(server.url, invited.link)
  const token = await operatorToken(server.url, 'clerk')
  const { db } = server.context
  const other = statement(
    'test_other_session',
    `insert into operator_sessions (token_hash, operator_id, kind, expires_at)
     select sha256(gen_random_uuid()::text::bytea), id, 'token', now() + interval '1 hour' from operators where login = 'clerk'`,
  )
  const left = statement(
    'test_access_left',
    `select (select count(*) from operator_sessions s where s.operator_id = o.id)::int as sessions,
            (select count(*) from api_keys k where k.operator_id = o.id and k.revoked_at is null)::int as keys
       from operators o where login = 'clerk'`,
  )
  let passkey = ''
  let code: Awaited<ReturnType<typeof switchOnApp>>
  const remove = async (path: string) => {
    await db.query(statement('test_codes_serve_again', 'update totp_secrets set last_step = 0'))
    return (await own(token, 'POST', path, { proof: { password, code: await code(0) } })).status
  }
  const changes: [string, () => Promise<number>][] = [
    [
      'app on',
      async () => {
        code = await switchOnApp(token)
        return 200
      },
    ],
    [
      'passkey added',
      async () => addPasskey(token, await code(0)).then(({ status, id }) => ((passkey = id), status)),
    ],
    [
      'recovery codes',
      async () => {
        const proof = { password, code: await code(1) }
        return (await own(token, 'POST', '/second-factor/recovery-codes', { proof })).status
      },
    ],
    ['passkey removed', async () => remove(`/passkeys/${passkey}/removal`)],
    ['app off', async () => remove('/second-factor/totp/removal')],
  ]
  for (const [what, change] of changes) {
    await db.query(other)
    await db.query(
      statement(
        'test_key_of_clerk',
        `insert into api_keys (name, token_hash, hint, scopes, operator_id)
         select 'x', sha256(gen_random_uuid()::text::bytea), 'x', '{orders:read}', id from operators where login = 'clerk'`,
      ),
    )
    expect([what, await db.one(left)]).toEqual([what, { sessions: 2, keys: 1 }])
    expect([what, (await change()) < 300]).toEqual([what, true])
    expect([what, await db.one(left)]).toEqual([what, { sessions: 1, keys: 0 }])
  }
})

test('who can’t move money needs one as well, because words move it [RIGHT-4]', async () => {
  const { db } = server.context
  const id = await addOperator(db, 'support')
  const { password_hash } = await db.one<{ password_hash: string }>(
    statement('test_owner_hash', `select password_hash from operators where role = 'owner'`),
  )
  const { login } = await db.one<{ login: string }>(
    statement('test_set_hash', 'update operators set password_hash = $2 where id = $1 returning login'),
    [id, password_hash],
  )
  expect(await reaches(await operatorToken(server.url, login))).toBe('second_factor_missing')
})
