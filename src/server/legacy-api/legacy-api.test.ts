import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, password, sendJson } from '../../../test/support/api.ts'
import { brokenRules } from '../../../test/support/campaign.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'

const ownerLogin = { login: 'owner', password }
let server: TestServer
let admin: string

beforeAll(async () => {
  server = await startServer({
    CORS_ORIGINS: 'https://old.example.org',
    OPERATOR_LOGIN: ownerLogin.login,
    OPERATOR_PASSWORD: ownerLogin.password,
  })
  admin = (await post('admin.php', ownerLogin)).body.token
})
afterAll(() => server?.close())

const send = (method: string, file: string, body?: unknown, headers: object = {}) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, headers)
const post = (file: string, body: unknown, headers = {}) => send('POST', file, body, headers)
const put = (file: string, body: unknown, headers = {}) => send('PUT', file, body, headers)
const get = (file: string, headers = {}) => send('GET', file, undefined, headers)
const del = (file: string, body?: unknown, headers = {}) => send('DELETE', file, body, headers)
const as = bearer

let serial = 0
async function buyer() {
  serial += 1
  const email = `wire${serial}@example.org`
  const pass = `a long passphrase ${serial}`
  const { body } = await post('users.php', {
    type: 'reg',
    name: 'Ann Old',
    email,
    phone: '+37255550000',
    pass,
  })
  return { email, pass, token: body.token as string }
}

const purchase = (token: string, email: string, change: object = {}) => ({
  userToken: token,
  cryptoToTransfer: 'BTC',
  amountToTransfer: '0.01',
  address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  amountToReceive: '214',
  bonus: '14',
  email,
  ...change,
})

async function order() {
  const ann = await buyer()
  const { body } = await post('transactions.php', purchase(ann.token, ann.email))
  const list = await get(`transactions.php?orderToken=${body.orderToken}`, as(admin))
  return { ...ann, orderToken: body.orderToken as string, id: list.body.transactions[0].id as string }
}

const failure = (message: unknown = expect.any(String)) =>
  expect.objectContaining({ status: 'error', message })

describe('users.php', () => {
  test('registers and logs in', async () => {
    const reg = await post('users.php', {
      type: 'reg',
      name: 'Bo',
      email: 'Bo@Example.org ',
      phone: '+37255550000',
      pass: 'a passphrase that is long',
    })
    expect(reg).toMatchObject({ status: 200, body: { status: 'success', token: expect.any(String) } })
    const login = await post('users.php', {
      type: 'login',
      email: 'bo@example.org',
      pass: 'a passphrase that is long',
    })
    expect(login.body).toEqual({
      status: 'success',
      user: { token: expect.any(String), email: 'Bo@Example.org' },
    })
    expect(await post('users.php', { type: 'login', email: 'bo@example.org', pass: 'wrong' })).toMatchObject({
      status: 401,
      body: failure('Login failed.'),
    })
    expect(
      await post('users.php', {
        type: 'reg',
        name: 'Bo',
        email: 'bo@example.org',
        phone: '+37255550000',
        pass: 'a passphrase that is long',
      }),
    ).toMatchObject({
      status: 409,
      body: failure('Registration failed.'),
    })
    expect(await post('users.php', { type: 'reg', email: 'x' })).toMatchObject({
      status: 422,
      body: failure(),
    })
    expect(await post('users.php', { type: 'what' })).toMatchObject({ status: 422, body: failure() })
  })

  test('gives a buyer their own data by Bearer or query, and nobody else anything', async () => {
    const { email, token } = await buyer()
    const user = {
      id: expect.any(Number),
      name: 'Ann Old',
      email,
      phone_number: '+37255550000',
      balance: '0',
      bonusTokens: '0',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      token,
    }
    expect((await get('users.php', as(token))).body).toEqual({ status: 'success', user })
    expect((await get(`users.php?token=${token}`)).body).toEqual({ status: 'success', user })
    expect(await get('users.php')).toMatchObject({ status: 401, body: failure() })
    expect(await get('users.php?token=us_nonsense')).toMatchObject({ status: 401 })
    expect(await get('users.php', { cookie: `session=${token}` })).toMatchObject({ status: 401 })
  })

  test('lists users to an operator, oldest first, with the public reference', async () => {
    await buyer()
    const { body } = await get('users.php', as(admin))
    expect(body.status).toBe('success')
    const ids = body.users.map((user: any) => user.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
    expect(body.users.every((user: any) => user.token.startsWith('u_'))).toBe(true)
  })

  test('what an operator reads of buyers is in the audit log [RIGHT-24]', async () => {
    const log = () =>
      server.database.db.query<{ action: string; subject_id: string }>(
        statement(
          'test_wire_readings',
          `select action, subject_id from audit_log a
            where action in ('user.read', 'export.download') order by id desc limit 3`,
        ),
      )
    const { token } = await order()
    const { body } = await get('users.php', as(admin))
    await get('transactions.php', as(admin))
    await get('users.php', as(token))
    expect(await log()).toEqual([
      { action: 'export.download', subject_id: 'transactions' },
      { action: 'export.download', subject_id: 'users' },
      { action: 'user.read', subject_id: body.users.at(-1).token },
    ])
  })

  test('changes a profile or a password by token', async () => {
    const { token, email } = await buyer()
    expect(
      (await put('users.php', { token, name: 'Ann New', email, phone_number: '+37255551111' })).body,
    ).toMatchObject({ status: 'success' })
    expect((await get('users.php', as(token))).body.user).toMatchObject({ name: 'Ann New' })
    expect((await put('users.php', { token, pass: 'another long passphrase' })).body).toEqual({
      status: 'success',
      message: 'Password updated successfully.',
    })
    expect((await post('users.php', { type: 'login', email, pass: 'another long passphrase' })).status).toBe(
      200,
    )
    expect(await put('users.php', { token, pass: 'short' })).toMatchObject({
      status: 422,
      body: failure(),
    })
    expect(await put('users.php', { token: 'us_nobody', name: 'X' })).toMatchObject({ status: 401 })
  })

  test('the credit call after an approval changes nothing and is an operator’s', async () => {
    const { token } = await buyer()
    expect(await put('users.php', { token, balance: '1000', bonusTokens: '50' })).toMatchObject({
      status: 403,
      body: failure(),
    })
    expect(await put('users.php', { token, balance: '1000', bonusTokens: '50' }, as(token))).toMatchObject({
      status: 403,
    })
    expect(
      (await put('users.php', { token, balance: 1000, bonusTokens: 50, admin_token: admin })).body,
    ).toMatchObject({ status: 'success' })
    expect((await get('users.php', as(token))).body.user).toMatchObject({ balance: '0', bonusTokens: '0' })
  })

  test('an operator adds balance by e-mail, with a fresh login only', async () => {
    const { token, email } = await buyer()
    expect(
      (await put('users.php', { admin_token: admin, email: ` ${email.toUpperCase()} `, balance: '12.5' }))
        .body,
    ).toEqual({
      status: 'success',
      message: 'Balance updated successfully!',
    })
    expect((await get('users.php', as(token))).body.user).toMatchObject({ balance: '12.5' })
    expect(await put('users.php', { email, balance: '5' })).toMatchObject({ status: 401 })
    for (const balance of ['-1', '1e3', 'NaN', '0x10', '１２', '0.0000001'])
      expect(await put('users.php', { admin_token: admin, email, balance })).toMatchObject({
        status: 422,
        body: failure(),
      })
    const old = (await post('admin.php', ownerLogin)).body.token
    await server.database.db.query(
      statement(
        'test_age_session',
        "update operator_sessions set authenticated_at = now() - interval '16 minutes' where token_hash = sha256($1::bytea)",
      ),
      [Buffer.from(old)],
    )
    expect(await put('users.php', { admin_token: old, email, balance: '5' })).toMatchObject({
      status: 401,
      body: failure('step_up_required'),
    })
  })
})

describe('mainCurrency.php', () => {
  test('shows the value; only an operator changes it, and rates follow', async () => {
    expect((await get('mainCurrency.php')).body).toEqual({
      status: 'success',
      data: [{ id: 1, value: '4.50' }],
    })
    expect(await put('mainCurrency.php', { id: 1, value: '9' })).toMatchObject({ status: 401 })
    expect(await put('mainCurrency.php', { id: 1, value: 'abc' }, as(admin))).toMatchObject({
      status: 422,
      body: failure('Invalid number format'),
    })
    expect(await put('mainCurrency.php', { id: 2, value: '9' }, as(admin))).toMatchObject({ status: 422 })
    expect((await put('mainCurrency.php', { id: 1, value: 9 }, as(admin))).body).toEqual({
      status: 'success',
      message: 'Currency updated successfully!',
    })
    const usdt = (await get('cryptos.php')).body.data.find((one: any) => one.currency === 'USDT')
    expect(usdt.rate).toBe('0.111111')
    // What an operator changed is over at once.
    const ann = await buyer()
    expect((await post('transactions.php', purchase(ann.token, ann.email))).body).toMatchObject({
      status: 'error',
    })
    await put('mainCurrency.php', { id: '1', value: '4.5' }, as(admin))
  })
})

describe('cryptos.php', () => {
  test('lists, adds, changes one or many, and deletes', async () => {
    const { body } = await get('cryptos.php')
    expect(body.data[0]).toEqual({
      id: 1,
      currency: 'BTC',
      fullName: 'Bitcoin',
      rate: '20000',
      address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    })
    const pepe = {
      currency: 'pepe',
      fullName: 'Pepe',
      rate: 0.5,
      address: '0x000000000000000000000000000000000000dEaD',
    }
    expect(await post('cryptos.php', pepe)).toMatchObject({ status: 401 })
    expect((await post('cryptos.php', pepe, as(admin))).body).toEqual({
      status: 'success',
      message: 'Cryptocurrency PEPE added.',
    })
    expect(await post('cryptos.php', pepe, as(admin))).toMatchObject({ status: 409 })
    expect(await post('cryptos.php', { ...pepe, currency: 'x' }, as(admin))).toMatchObject({
      status: 422,
      body: failure('Currency must be at least 2 characters.'),
    })
    expect(await post('cryptos.php', { ...pepe, currency: 'abc', rate: '-1' }, as(admin))).toMatchObject({
      status: 422,
      body: failure('Rate must be a positive number.'),
    })
    expect(await post('cryptos.php', { ...pepe, currency: 'abc', rate: undefined }, as(admin))).toMatchObject(
      {
        status: 422,
        body: failure('Rate must be a positive number.'),
      },
    )
    const many = await put(
      'cryptos.php',
      [
        { currency: 'PEPE', rate: '0.75' },
        { currency: 'nope', rate: '1' },
      ],
      as(admin),
    )
    expect(many.status).toBe(404)
    expect((await get('cryptos.php')).body.data.find((one: any) => one.currency === 'PEPE').rate).toBe('0.5')
    const one = await put('cryptos.php', { currency: 'PEPE', rate: '0.75', fullName: 'Pepe Coin' }, as(admin))
    expect(one.body).toMatchObject({ status: 'success', message: 'Cryptos updated successfully' })
    expect(one.body.currencies).toContainEqual(
      expect.objectContaining({ currency: 'PEPE', rate: '0.75', fullName: 'Pepe Coin' }),
    )
    expect((await del('cryptos.php', { currency: 'PEPE' }, as(admin))).body).toEqual({
      status: 'success',
      success: true,
      message: 'Your crypto - PEPE has been deleted.',
    })
    expect(await del('cryptos.php', { currency: 'PEPE' }, as(admin))).toMatchObject({ status: 404 })
    expect(await del('cryptos.php', { currency: 'BTC' })).toMatchObject({ status: 401 })
  })
})

describe('transactions.php', () => {
  test('makes an order whose amounts are the server’s [ORDER-2]', async () => {
    const ann = await buyer()
    const { body } = await post('transactions.php', purchase(ann.token, ann.email))
    expect(body).toEqual({
      status: 'success',
      orderToken: expect.stringMatching(/^[\w-]{30}$/),
      address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    })
    const own = await get('transactions.php', as(ann.token))
    expect(own.body).toEqual({
      status: 'success',
      transactions: [
        {
          id: expect.any(String),
          order_token: body.orderToken,
          user_token: ann.token,
          userToken: ann.token,
          status: 'pending',
          crypto_to_transfer: 'BTC',
          amount_to_transfer: '0.01',
          address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
          email: ann.email,
          amount_to_receive: '214',
          bonus: '14',
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      ],
    })
    expect((await get(`transactions.php?token=${ann.token}`)).body).toEqual(own.body)
  })

  test('takes the bonus of either level and stores its own', async () => {
    const ann = await buyer()
    const { body } = await post(
      'transactions.php',
      purchase(ann.token, ann.email, { amountToReceive: '210', bonus: '10' }),
    )
    const { body: shown } = await get(`transactions.php?orderToken=${body.orderToken}`, as(ann.token))
    expect(shown.transactions[0]).toMatchObject({ bonus: '14', amount_to_receive: '214' })
  })

  test('takes amounts by the rate as it is shown, and stores its own', async () => {
    const ann = await buyer()
    const byShownRate = {
      cryptoToTransfer: 'USDT',
      amountToTransfer: '900.000900',
      address: '0x000000000000000000000000000000000000dEaD',
    }
    const { body } = await post('transactions.php', purchase(ann.token, ann.email, byShownRate))
    const { body: shown } = await get(`transactions.php?orderToken=${body.orderToken}`, as(ann.token))
    expect(shown.transactions[0]).toMatchObject({ amount_to_transfer: '900', amount_to_receive: '214' })
  })

  test.each([
    ['another amount', { amountToTransfer: '0.009' }],
    ['an invented bonus', { amountToReceive: '300', bonus: '100' }],
    ['another e-mail', { email: 'somebody@example.org' }],
    ['another address', { address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7' }],
    ['too little', { amountToTransfer: '0.0005', amountToReceive: '10.5', bonus: '0.5' }],
    ['infinity', { amountToTransfer: '1e309' }],
    ['not a number', { amountToReceive: 'NaN' }],
    ['a negative', { amountToReceive: '-214' }],
    ['forty decimals', { amountToTransfer: `0.${'0'.repeat(39)}1` }],
  ])('refuses %s', async (_name, change) => {
    const ann = await buyer()
    expect(await post('transactions.php', purchase(ann.token, ann.email, change))).toMatchObject({
      status: 422,
      body: failure(),
    })
    expect((await get('transactions.php', as(ann.token))).body.transactions).toEqual([])
  })

  test('shows nobody another’s orders; by the order’s token alone the person is masked [ACCOUNT-2, BOARD-2]', async () => {
    const { orderToken } = await order()
    const other = await buyer()
    expect(await get('transactions.php')).toMatchObject({ status: 401, body: failure() })
    expect((await get('transactions.php', as(other.token))).body.transactions).toEqual([])
    const { body } = await get(`transactions.php?orderToken=${orderToken}`)
    expect(body.transactions[0]).toMatchObject({
      order_token: orderToken,
      user_token: '',
      userToken: '',
      email: 'w•••@e•••.org',
    })
    expect((await get('transactions.php?orderToken=unknown')).body).toEqual({
      status: 'success',
      transactions: [],
    })
    const all = await get('transactions.php', as(admin))
    const ids = all.body.transactions.map((one: any) => Number(one.id))
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
    expect(all.body.transactions[0].user_token).toMatch(/^u_/)
  })

  test('twenty parallel approvals credit once; a rejection takes it back [LEDGER-4]', async () => {
    const { id, token } = await order()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => put('transactions.php', { id, status: 'approved' }, as(admin))),
    )
    expect(answers.every((answer) => answer.body.status === 'success')).toBe(true)
    expect((await get('users.php', as(token))).body.user).toMatchObject({ balance: '214', bonusTokens: '14' })
    expect(await put('transactions.php', { id, status: 'rejected' }, as(token))).toMatchObject({
      status: 401,
    })
    expect((await put('transactions.php', { id: Number(id), status: 'rejected' }, as(admin))).body).toEqual({
      status: 'success',
    })
    expect((await get('users.php', as(token))).body.user).toMatchObject({ balance: '0' })
    // Rejected is final.
    expect(await put('transactions.php', { id, status: 'approved' }, as(admin))).toMatchObject({
      status: 409,
    })
    expect(await put('transactions.php', { id, status: 'done' }, as(admin))).toMatchObject({ status: 422 })
    expect(await put('transactions.php', { id: '999999', status: 'approved' }, as(admin))).toMatchObject({
      status: 404,
    })
    expect(await brokenRules(server.database.db)).toEqual([])
  })

  test('deleting hides an order from the operators and keeps it for its buyer [DELETE-1]', async () => {
    const { id } = await order()
    await put('transactions.php', { id, status: 'approved' }, as(admin))
    expect(await del(`transactions.php?id=${id}`, undefined, as(admin))).toMatchObject({ status: 409 })
    const { id: unpaid, token: other } = await order()
    await put('transactions.php', { id: unpaid, status: 'rejected' }, as(admin))
    expect(await del(`transactions.php?id=${unpaid}`)).toMatchObject({ status: 401 })
    expect((await del(`transactions.php?id=${unpaid}`, undefined, as(admin))).body).toEqual({
      status: 'success',
    })
    const all = await get('transactions.php', as(admin))
    expect(all.body.transactions.some((one: any) => one.id === unpaid)).toBe(false)
    expect((await get('transactions.php', as(other))).body.transactions).toHaveLength(1)
  })
})

describe('admin.php', () => {
  test('logs in, says whether a token holds, and changes the password', async () => {
    expect(await post('admin.php', { login: 'owner', password: 'wrong' })).toMatchObject({
      status: 401,
      body: failure('Login failed.'),
    })
    expect((await get('admin.php', as(admin))).body).toEqual({ status: 'success' })
    expect((await get('admin.php')).status).toBe(401)
    expect((await get('admin.php', { cookie: `operator_session=${admin}` })).status).toBe(401)
    const changed = await put('admin.php', {
      admin_token: admin,
      login: 'owner',
      oldPassword: ownerLogin.password,
      newPassword: 'another horse 2 ride',
    })
    expect(changed.body).toEqual({
      status: 'success',
      token: expect.any(String),
      message: 'Password updated successfully.',
    })
    expect((await get('admin.php', as(admin))).status).toBe(401)
    admin = changed.body.token
    const back = await put('admin.php', {
      admin_token: admin,
      login: 'owner',
      oldPassword: 'another horse 2 ride',
      newPassword: ownerLogin.password,
    })
    admin = back.body.token
  })
})

describe('pixels.php', () => {
  test('adds, lists, changes and deletes, for operators only; the secondary key stays hidden', async () => {
    const key = { api_key: 'G-ABCDEF1234', api_key_secondary: 'very secret value', location: '/dashboard' }
    expect(await get('pixels.php')).toMatchObject({ status: 401 })
    expect(await post('pixels.php', key)).toMatchObject({ status: 401 })
    const added = await post('pixels.php', key, as(admin))
    expect(added.body).toEqual({ status: 'success', id: expect.any(Number) })
    const { body } = await get('pixels.php', as(admin))
    expect(body.api_keys).toEqual([
      {
        id: added.body.id,
        api_key: 'G-ABCDEF1234',
        api_key_secondary: expect.stringContaining('•'),
        location: '/dashboard',
      },
    ])
    expect(JSON.stringify(body)).not.toContain('very secret')
    expect(await post('pixels.php', { location: '/x' }, as(admin))).toMatchObject({
      status: 422,
      body: failure('API Key is required'),
    })
    expect(await post('pixels.php', { api_key: 'G-ABCDEF1235' }, as(admin))).toMatchObject({
      status: 422,
      body: failure('Location is required'),
    })
    expect((await put(`pixels.php?id=${added.body.id}`, { ...key, location: '/' }, as(admin))).body).toEqual({
      status: 'success',
      id: added.body.id,
    })
    expect((await del('pixels.php?api=G-ABCDEF1234', undefined, as(admin))).body).toEqual({
      status: 'success',
      id: added.body.id,
    })
    expect(await del('pixels.php?api=G-ABCDEF1234', undefined, as(admin))).toMatchObject({ status: 404 })
  })
})

describe('the carrier', () => {
  test('takes JSON by its own name, as text and in a form, and refuses other types and what is no JSON', async () => {
    const login = JSON.stringify({ type: 'login', email: 'nobody@example.org', pass: 'x' })
    for (const type of [
      'application/json',
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
    ])
      expect(await send('POST', 'users.php', login, { 'content-type': type })).toMatchObject({
        status: 401,
        body: failure('Login failed.'),
      })
    for (const type of ['application/octet-stream', 'application/xml', 'multipart/form-data; boundary=x', ''])
      expect(await send('POST', 'users.php', login, { 'content-type': type })).toMatchObject({
        status: 415,
        body: failure(),
      })
    expect(await send('POST', 'users.php', '{"type":', { 'content-type': 'application/json' })).toMatchObject(
      { status: 400, body: failure() },
    )
    expect(await post('users.php', `"${'x'.repeat(70_000)}"`)).toMatchObject({ status: 413, body: failure() })
  })

  test('answers 404 and 405 as JSON, and CORS only where the setting lists the origin', async () => {
    expect(await get('nothing.php')).toMatchObject({ status: 404, body: failure() })
    expect(await del('admin.php')).toMatchObject({ status: 405, body: failure() })
    expect(await send('PATCH', 'users.php', {})).toMatchObject({ status: 405 })
    const listed = await send('OPTIONS', 'cryptos.php', undefined, { origin: 'https://old.example.org' })
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://old.example.org')
    const other = await get('cryptos.php', { origin: 'https://evil.example.org' })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('hostile input in every field does no harm', async () => {
    const ann = await buyer()
    const hostile = [
      "' or 1=1; drop table users; --",
      '<script>alert(1)</script>',
      '\u0000',
      '\u202Egnp.exe',
      '🦄'.repeat(500),
      'x'.repeat(9_000),
    ]
    for (const value of hostile) {
      for (const field of [
        'userToken',
        'cryptoToTransfer',
        'amountToTransfer',
        'address',
        'amountToReceive',
        'bonus',
        'email',
      ]) {
        const answer = await post('transactions.php', purchase(ann.token, ann.email, { [field]: value }))
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.status).toBeLessThan(500)
      }
      for (const field of ['type', 'email', 'pass', 'name', 'phone'])
        expect(
          (
            await post('users.php', {
              type: 'reg',
              name: 'N',
              email: `h@example.org`,
              pass: 'x',
              [field]: value,
            })
          ).status,
        ).toBeLessThan(500)
      const query = encodeURIComponent(value)
      for (const path of [
        `users.php?token=${query}`,
        `transactions.php?orderToken=${query}`,
        `transactions.php?token=${query}`,
      ])
        expect((await get(path)).status).toBeLessThan(500)
    }
    for (const body of [
      '{"__proto__":{"isAdmin":true},"type":"login"}',
      '{"constructor":{"prototype":{}}}',
      '[]',
      '"text"',
      '42',
      'null',
    ])
      expect(
        (await send('POST', 'users.php', body, { 'content-type': 'application/json' })).status,
      ).toBeLessThan(500)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect((await get(`users.php?token=${ann.token}&token=${ann.token}`)).status).toBe(400)
  })

  test('forty parallel registrations of one address make one account', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        post('users.php', {
          type: 'reg',
          name: 'Race',
          email: 'race@example.org',
          phone: '+37255550000',
          pass: 'a passphrase for racing',
        }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(39)
  })
})
