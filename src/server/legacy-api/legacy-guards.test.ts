import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, password, registerToken, sendJson } from '../../../test/support/api.ts'
import { addOperator } from '../../../test/support/campaign.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'
import { can, type Right, type Role, roles } from '../../shared/roles.ts'
import { OPERATOR_TOKEN_PREFIX } from '../operators/operators.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'

// The legacy API has entry points of its own: each asks for the right, the fresh login and the second operator that v1 asks for.

let server: TestServer

beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'first', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const send = (method: string, file: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, token ? bearer(token) : {})
const run = (name: string, text: string, values: unknown[] = []) =>
  server.database.db.query<Record<string, unknown>>(statement(`test_wire_guards_${name}`, text), values)

/** The token of a new operator who gave the password so many minutes ago. */
async function signedIn(role: Role, minutesAgo = 0): Promise<string> {
  const token = newToken(OPERATOR_TOKEN_PREFIX)
  await run(
    'sign_in',
    `insert into operator_sessions (token_hash, operator_id, kind, expires_at, authenticated_at)
     values ($1, $2, 'token', now() + interval '1 hour', now() - make_interval(mins => $3))`,
    [hashToken(token), await addOperator(server.database.db, role), minutesAgo],
  )
  return token
}

const wallet = { currency: 'USDT', address: '0x00000000000000000000000000000000deadbeef' }
const reads: readonly [file: string, right: Right][] = [
  ['users.php', 'users:read'],
  ['transactions.php', 'orders:read'],
  ['pixels.php', 'analytics:write'],
]
/** What the legacy API asks for, apart from the table of actions that the program reads it in. */
const writes: readonly [method: string, file: string, right: Right, isFresh: boolean, body: object][] = [
  ['PUT', 'users.php', 'grants:write', true, { email: 'nobody@example.org', balance: '5' }],
  ['PUT', 'mainCurrency.php', 'currencies:write', true, { id: 1, value: '9' }],
  ['POST', 'cryptos.php', 'currencies:write', true, { currency: 'NEW', rate: '1' }],
  ['PUT', 'cryptos.php', 'currencies:write', true, wallet],
  ['DELETE', 'cryptos.php', 'currencies:write', true, { currency: 'NOPE' }],
  ['PUT', 'transactions.php', 'orders:decide', true, { id: 999_999, status: 'approved' }],
  ['DELETE', 'transactions.php?id=999999', 'orders:decide', false, {}],
  ['POST', 'pixels.php', 'analytics:write', false, {}],
]

describe.each(roles)('%s', (role) => {
  test.each(reads)('reads %s only by the right to it', async (file, right) => {
    const { status, body } = await send('GET', file, undefined, await signedIn(role))
    expect([status, body.code]).toEqual(can(role, right) ? [200, undefined] : [403, 'not_for_your_role'])
  })

  test.each(writes)('%s %s only by the right to %s', async (method, file, right, _isFresh, body) => {
    // Nothing is said here, so that nothing is changed: the right is asked before the fields.
    const said = can(role, right)
      ? { ...body, currency: undefined, value: 'no number', balance: 'none' }
      : body
    const { code } = (await send(method, file, said, await signedIn(role))).body
    if (can(role, right)) expect(code).not.toBe('not_for_your_role')
    else expect(code).toBe('not_for_your_role')
  })
})

test('what needs a fresh login is refused after 15 minutes, and done before', async () => {
  const [old, fresh] = [await signedIn('owner', 16), await signedIn('owner', 14)]
  for (const [method, file, , isFresh, body] of writes) {
    const answer = await send(method, file, body, old)
    const line = `${method} ${file}`
    if (isFresh) expect([line, answer.status, answer.body.code]).toEqual([line, 401, 'step_up_required'])
    else expect([line, answer.body.code]).not.toEqual([line, 'step_up_required'])
  }
  const value = (await send('GET', 'mainCurrency.php')).body.data[0].value
  expect(await send('PUT', 'mainCurrency.php', { id: 1, value }, fresh)).toMatchObject({ status: 200 })
})

describe('where two operators are asked for', () => {
  let owner: string
  beforeAll(async () => {
    owner = await signedIn('owner')
    await run('two', `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  })
  afterAll(() =>
    run('one', `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'false')`),
  )

  test('one moves no wallet', async () => {
    const before = await run('wallets', 'select code, address from currencies order by id')
    expect(await send('PUT', 'cryptos.php', wallet, owner)).toMatchObject({
      status: 409,
      body: { code: 'second_operator_required' },
    })
    expect(await run('wallets', 'select code, address from currencies order by id')).toEqual(before)
  })

  test('one approves no order', async () => {
    const { id, orderToken } = await order()
    expect(await send('PUT', 'transactions.php', { id, status: 'approved' }, owner)).toMatchObject({
      status: 409,
      body: { code: 'second_operator_required' },
    })
    const { body } = await send('GET', `transactions.php?orderToken=${orderToken}`, undefined, owner)
    expect(body.transactions[0].status).toBe('pending')
  })
})

test('a country that is refused orders nothing, nor does one that is left out', async () => {
  await run(
    'countries',
    `update campaign set settings = jsonb_set(settings, '{buyers,countriesRefused}', '["US"]')`,
  )
  server.context.campaign.invalidate()
  try {
    expect((await purchase({})).body).toMatchObject({ code: 'declaration_missing' })
    expect((await purchase({ country: 'us' })).body).toMatchObject({ code: 'country_refused' })
    expect((await purchase({ country: 'EE' })).body).toMatchObject({ status: 'success' })
  } finally {
    await run(
      'no_countries',
      `update campaign set settings = jsonb_set(settings, '{buyers,countriesRefused}', '[]')`,
    )
    server.context.campaign.invalidate()
  }
})

let serial = 0
async function purchase(more: object) {
  const email = `guard${(serial += 1)}@example.org`
  const userToken = await registerToken(server.url, email)
  return send('POST', 'transactions.php', {
    userToken,
    cryptoToTransfer: 'BTC',
    amountToTransfer: '0.01',
    address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    amountToReceive: '214',
    bonus: '14',
    email,
    ...more,
  })
}

async function order() {
  const { orderToken } = (await purchase({})).body
  const { body } = await send(
    'GET',
    `transactions.php?orderToken=${orderToken}`,
    undefined,
    await signedIn('owner'),
  )
  return { id: body.transactions[0].id as string, orderToken: orderToken as string }
}
