import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  acceptInvitation,
  bearer,
  operatorToken,
  password,
  registerToken,
  sendJson,
} from '../../../test/support/api.ts'
import { addBuyer, brokenRules, setGoal } from '../../../test/support/campaign.ts'
import { forceDetail } from '../../../test/support/forced-detail.ts'
import { patienceMs } from '../../../test/support/patience.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'
import type { Role } from '../../shared/roles.ts'
import { system } from '../unit-of-work/unit-of-work.ts'

let server: TestServer
let serial = 0

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.close())

const send = (method: string, path: string, body?: unknown, headers: object = {}) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, headers)
const run = (name: string, sql: string, values: unknown[] = []) =>
  server.database.db.query(statement(`test_http_${name}`, sql), values)

const buyer = async () => bearer(await registerToken(server.url))

async function operator(role: Role) {
  const login = `${role}${(serial += 1)}`
  const { actions, operators } = server.context
  const { link } = await actions.execute(operators.actions['operator.invite'], system, { login, role })
  await acceptInvitation(server.url, link)
  return bearer(await operatorToken(server.url, login))
}

const tellOfAction = statement('test_http_tell_action', 'insert into outbox (kind) values ($1)')
const wanted = { currency: 'USDT', amount: '40', unit: 'token' }
const asked = { ...wanted, acceptTerms: true, ageConfirmed: true }

async function newOrder(ann: object, amount = '40') {
  const made = await send('POST', '/orders', { ...asked, amount }, ann)
  expect(made.status).toBe(200)
  return made.body as { number: number; token: string }
}

/** An order whose buyer said that the payment is sent, so that operators know of it. */
async function sentOrder(ann: object) {
  const made = await newOrder(ann)
  expect((await send('POST', `/orders/${made.token}/sent`, undefined, ann)).status).toBe(200)
  return made
}

test('what is not over is told however many orders came after it, and only to its buyer', async () => {
  const [ann, ben] = [await buyer(), await buyer()]
  const set = (what: string, number: number) =>
    run(`open_${what.length}`, `update orders set ${what} where id = $1`, [number])
  const underpaid = await newOrder(ann)
  await forceDetail(server.database.db, underpaid.number, 'underpaid')
  const expired = await newOrder(ann)
  await set("expires_at = now() - interval '6 days'", expired.number)
  const longExpired = await newOrder(ann)
  await set("expires_at = now() - interval '8 days'", longExpired.number)
  for (let over = 0; over < 10; over += 1) await set("status = 'rejected'", (await newOrder(ann)).number)
  const withdrawn = await newOrder(ann)
  await set('hidden = true', withdrawn.number)
  const waiting = await newOrder(ann)
  const numbersOf = async (who: object) => {
    const { body } = await send('GET', '/open-orders', undefined, who)
    return (body.items as { number: number }[]).map(({ number }) => number)
  }
  expect(await numbersOf(ann)).toEqual([waiting.number, expired.number, underpaid.number])
  expect(await numbersOf(ben)).toEqual([])
  expect(await send('GET', '/open-orders')).toMatchObject({ status: 401 })
})

describe('bad numbers', () => {
  test.each([
    '1e309',
    'NaN',
    'Infinity',
    '-1',
    '+40',
    '0x10',
    '４０',
    '٤٠',
    '40,5',
    '1_000',
    '4 0',
    '',
    '.',
    '40..1',
    `40.${'0'.repeat(40)}`,
    '40.0000001',
    '9'.repeat(19),
  ])('%j is refused as amount_invalid', async (amount) => {
    for (const unit of ['token', 'crypto']) {
      const { status, code } = await send('POST', '/orders/preview', { ...wanted, amount, unit })
      expect([status, code]).toEqual([422, 'amount_invalid'])
    }
  })

  test.each([
    ['0', 'amount_below_minimum'],
    ['39.999999', 'amount_below_minimum'],
    ['100000.000001', 'amount_above_maximum'],
    ['999999999999999999', 'amount_above_maximum'],
  ])('%s is %s', async (amount, code) => {
    expect(await send('POST', '/orders/preview', { ...wanted, amount })).toMatchObject({ status: 422, code })
  })

  test('what is no text is invalid input, and 1e309 in JSON does no harm', async () => {
    for (const amount of ['1e309', '40', 'null', '[]', '{"a":1}']) {
      const body = `{"currency":"USDT","amount":${amount},"unit":"token"}`
      expect(await send('POST', '/orders/preview', body)).toMatchObject({
        status: 422,
        code: 'invalid_input',
        body: { error: { issues: [{ path: 'amount' }] } },
      })
    }
    expect(await send('POST', '/orders/preview', '{"amount":NaN}')).toMatchObject({
      status: 400,
      code: 'malformed_request',
    })
  })

  test('a grant takes the same numbers and no others', async () => {
    const owner = await operator('owner')
    const grant = (amount: unknown) =>
      send('POST', '/operator/grants', { email: 'buyer@example.org', amount, reason: '' }, owner)
    for (const amount of ['1e3', '-1', '0x10', '１', '1.0000001', 'NaN', ''])
      expect(await grant(amount)).toMatchObject({ status: 422, code: 'amount_invalid' })
  })

  test('an order’s number in an address is digits', async () => {
    const finance = await operator('finance')
    for (const id of ['0x1', '1e0', '%31%20', '-1', '１', '99999999999999999999'])
      expect(await send('POST', `/operator/orders/${id}/approve`, {}, finance)).toMatchObject({ status: 404 })
  })
})

describe('what a sale refuses, each by its code', () => {
  const ask = (change: object, headers = {}) =>
    send('POST', '/orders/preview', { ...wanted, ...change }, headers)

  test('a currency that is unknown or switched off, a stage that is sold out or over [ORDER-3, STAGE-5]', async () => {
    const mine = await startServer({}, { jobs: false })
    const outer = server
    server = mine
    try {
      const ann = await buyer()
      expect(await ask({ currency: 'NOPE' })).toMatchObject({ status: 404, code: 'currency_unknown' })
      await run('off', "update currencies set switched_off_at = now() where code = 'BTC'")
      expect(await ask({ currency: 'BTC' })).toMatchObject({ status: 409, code: 'currency_off' })
      const order = () => send('POST', '/orders', asked, ann)
      const sale = { db: mine.database.db, campaign: mine.context.campaign } as Parameters<typeof setGoal>[0]
      await setGoal(sale, '179.99')
      for (const answer of [await ask({}), await order()])
        expect(answer).toMatchObject({ status: 409, code: 'cap_reached' })
      await setGoal(sale, '6475000')
      await run('over', "update stages set starts_at = now() - interval '2 days', ends_at = now()")
      for (const answer of [await ask({}), await order()])
        expect(answer).toMatchObject({ status: 409, code: 'stage_closed' })
      const { body: orders } = await send('GET', '/orders', undefined, ann)
      expect(orders.items).toEqual([])
      expect(await brokenRules(mine.database.db)).toEqual([])
    } finally {
      server = outer
      await mine.close()
    }
  })

  test('in the language asked for', async () => {
    const english = await ask({ amount: '1' })
    const russian = await ask({ amount: '1' }, { 'accept-language': 'ru-RU,ru;q=0.9' })
    expect(english.body.error.message).toBe('This is below the minimum.')
    expect(russian.body.error.message).toBe('Это меньше минимума.')
    expect(english.body.error.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('amounts on the wire', () => {
  test('tokens and coins have 6 decimals, dollars 2, in every answer [NUM-2]', async () => {
    const [ann, finance] = [await buyer(), await operator('finance')]
    const preview = await send('POST', '/orders/preview', wanted, ann)
    const made = await send('POST', '/orders', asked, ann)
    expect(made.body).toMatchObject({ cryptoAmount: '180.000000' })
    const { number, token } = made.body
    const order = await send('GET', `/orders/${token}`, undefined, ann)
    const row = await send('GET', `/operator/orders/${number}`, undefined, finance)
    for (const { body } of [preview, order, row])
      expect(body).toMatchObject({
        baseTokens: '40.000000',
        bonusTokens: '2.000000',
        receiveTokens: '42.000000',
        cryptoAmount: '180.000000',
        usd: '180.00',
        bonusPercent: '5',
      })
    const none = {
      balanceTokens: '0.000000',
      purchasedTokens: '0.000000',
      bonusTokens: '0.000000',
      grantedTokens: '0.000000',
      depositsUsd: '0.00',
    }
    const some = {
      balanceTokens: '42.000000',
      purchasedTokens: '40.000000',
      bonusTokens: '2.000000',
      grantedTokens: '0.000000',
      depositsUsd: '180.00',
    }
    expect((await send('GET', '/holdings', undefined, ann)).body).toMatchObject(none)
    await send('POST', `/operator/orders/${number}/approve`, {}, finance)
    expect((await send('GET', '/holdings', undefined, ann)).body).toMatchObject(some)
    const { body: user } = await send('GET', `/operator/users/${row.body.userId}`, undefined, finance)
    expect(user).toMatchObject(some)
    const search = encodeURIComponent(user.email.slice(0, -2).toUpperCase())
    const found = await send('GET', `/operator/users?search=${search}`, undefined, finance)
    expect(found.body.items).toContainEqual(expect.objectContaining({ id: user.id, email: user.email }))
    const campaign = await server.context.campaign.refresh()
    for (const stage of [campaign, campaign.stages[0]])
      for (const [name, value] of Object.entries(stage ?? {})) {
        if (name.endsWith('Tokens')) expect(value, name).toMatch(/^\d+\.\d{6}$/)
        if (name.endsWith('Usd') && name !== 'priceUsd') expect(value, name).toMatch(/^\d+\.\d{2}$/)
      }
    for (const day of campaign.days)
      expect([day.raisedUsd, day.raisedOnChainUsd, day.raisedByOperatorUsd]).toEqual(
        expect.arrayContaining([expect.stringMatching(/^\d+\.\d{2}$/)]),
      )
  })
})

describe('one order', () => {
  test('repeats of a key answer the same order, also ten at once; the same key with another body is refused [ORDER-8]', async () => {
    const ann = await buyer()
    const order = (body: object) => send('POST', '/orders', body, { ...ann, 'idempotency-key': 'order-1' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(asked)))
    const [first] = answers
    expect(first?.status).toBe(200)
    for (const { body } of [...answers, await order(asked)]) expect(body).toEqual(first?.body)
    for (const change of [{ country: 'EE' }, { amount: '41' }])
      expect(await order({ ...asked, ...change })).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      })
    const { body: listed } = await send('GET', '/orders', undefined, ann)
    expect(listed.items).toMatchObject([{ token: first?.body.token }])
    // Without a key each request is an order of its own.
    expect((await newOrder(ann)).token).not.toBe(first?.body.token)
  })

  test('a refused request leaves its key free', async () => {
    const ann = await buyer()
    const order = (body: object) => send('POST', '/orders', body, { ...ann, 'idempotency-key': 'order-1' })
    expect(await order({ ...asked, currency: 'NOPE' })).toMatchObject({ code: 'currency_unknown' })
    expect((await order(asked)).status).toBe(200)
  })

  test('is made at the price and the rate that its buyer was shown, or not at all [ORDER-3]', async () => {
    const ann = await buyer()
    const { body: seen } = await send('POST', '/orders/preview', wanted, ann)
    const shown = { rate: seen.rate, priceUsd: seen.priceUsd }
    const order = (change: object, headers = {}) =>
      send('POST', '/orders', { ...asked, shown: { ...shown, ...change } }, { ...ann, ...headers })
    for (const change of [{ rate: `${seen.rate}1` }, { priceUsd: '4.51' }])
      expect(await order(change)).toMatchObject({ status: 409, code: 'price_changed' })
    // The same value in another spelling is the same.
    const key = { 'idempotency-key': 'shown' }
    const made = await order({ priceUsd: `${seen.priceUsd}0` }, key)
    expect(made.status).toBe(200)
    const setRate = (rate: string) =>
      run('other_rate', "update currencies set rate = $1 where code = 'USDT'", [rate])
    await setRate(String(2 * Number(seen.rate)))
    try {
      expect(await order({})).toMatchObject({ status: 409, code: 'price_changed' })
      // A repeat answers what stands.
      expect(await order({ priceUsd: `${seen.priceUsd}0` }, key)).toMatchObject({ body: made.body })
    } finally {
      await setRate(seen.rate)
    }
    const { body: listed } = await send('GET', '/orders', undefined, ann)
    expect(listed.items).toHaveLength(1)
  })

  test('is unknown to operators until its buyer says once that the payment is sent [ORDER-13]', async () => {
    const [ann, ben, support] = [await buyer(), await buyer(), await operator('support')]
    const { number, token } = await newOrder(ann)
    const listed = async (query = '') => {
      const { body } = await send('GET', `/operator/orders?limit=100${query}`, undefined, support)
      return (body.items as { id: number }[]).some(({ id }) => id === number)
    }
    const waiting = async () => {
      const { body } = await send('GET', '/operator/order-counts', undefined, support)
      return body.waiting.count as number
    }
    const told = async (id = number) => {
      await server.context.jobs.drain()
      return run('told', `select event from events where payload -> 'data' ->> 'id' = $1 order by number`, [
        String(id),
      ])
    }
    const before = await waiting()
    expect(await told()).toEqual([])
    expect([await listed(), await listed('&view=waiting'), await listed('&status=pending')]).toEqual([
      false,
      false,
      false,
    ])
    // Somebody who has its token, as from a mail of the buyer, finds it.
    expect(await listed(`&search=${token}`)).toBe(true)
    const say = (who: object) => send('POST', `/orders/${token}/sent`, undefined, who)
    expect(await say(ben)).toMatchObject({ status: 404, code: 'order_unknown' })
    expect(await say({})).toMatchObject({ status: 401 })
    const answers = await Promise.all([say(ann), say(ann), say(ann)])
    for (const { body } of answers)
      expect(body).toMatchObject({ sentAt: answers[0]?.body.sentAt, held: false })
    expect(answers[0]?.body.sentAt).not.toBe(null)
    expect([await listed(), await listed('&view=waiting'), await listed('&status=pending')]).toEqual([
      true,
      true,
      true,
    ])
    expect(await waiting()).toBe(before + 1)
    expect(await told()).toEqual([{ event: 'order.created' }])
    // Who approves one that was found by a search says that its payment came.
    const found = await newOrder(ann)
    const finance = await operator('finance')
    expect((await send('POST', `/operator/orders/${found.number}/approve`, {}, finance)).status).toBe(200)
    expect(await told(found.number)).toEqual([{ event: 'order.created' }, { event: 'order.approved' }])
    const refused = await newOrder(ann)
    await send('POST', `/operator/orders/${refused.number}/reject`, { reason: 'no payment' }, finance)
    expect(await told(refused.number)).toEqual([{ event: 'order.created' }, { event: 'order.rejected' }])
  })

  test('its receipt is a file for its buyer alone, once it is approved', async () => {
    const [ann, ben, finance] = [await buyer(), await buyer(), await operator('finance')]
    const { number, token } = await newOrder(ann)
    const receipt = (headers: object, query = '') =>
      fetch(`${server.url}/api/v1/orders/${token}/receipt.pdf${query}`, { headers: { ...headers } })
    const codeOf = async (answer: Response) => [
      answer.status,
      ((await answer.json()) as { error: { code: string } }).error.code,
    ]
    expect(await codeOf(await receipt(ann))).toEqual([409, 'order_state'])
    await send('POST', `/operator/orders/${number}/approve`, {}, finance)
    const answer = await receipt(ann)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="receipt-${number}.pdf"; filename*=UTF-8''receipt-${number}.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    })
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\.7/)
    expect((await receipt(ann, '?language=ru')).status).toBe(200)
    expect(await codeOf(await receipt(ann, '?language=xx'))).toEqual([422, 'invalid_input'])
    expect(await codeOf(await receipt(ben))).toEqual([404, 'order_unknown'])
    expect(await codeOf(await receipt(finance))).toEqual([401, 'not_signed_in'])
    expect(await codeOf(await receipt({}))).toEqual([401, 'not_signed_in'])
  })

  test('a key that is empty, long, or no plain word is refused, and makes no order', async () => {
    const ann = await buyer()
    const order = (key: string) => send('POST', '/orders', asked, { ...ann, 'idempotency-key': key })
    for (const key of ['', 'a b', 'clé', 'x'.repeat(101)])
      expect(await order(key), key).toMatchObject({
        status: 422,
        code: 'invalid_input',
        body: { error: { issues: [{ path: 'Idempotency-Key' }] } },
      })
    expect((await send('GET', '/orders', undefined, ann)).body.items).toEqual([])
    expect(await order('x'.repeat(100))).toMatchObject({ status: 200 })
  })

  test('a repeat answers its order also where the country was refused since; nothing else does [ORDER-5]', async () => {
    const ann = await buyer()
    const order = (body: object, key = 'order-1') =>
      send('POST', '/orders', { ...asked, ...body }, { ...ann, 'idempotency-key': key })
    const first = await order({ country: 'EE' })
    expect(first.status).toBe(200)
    const refuseCountries = async (countries: string) => {
      await run(
        'refuse_countries',
        "update campaign set settings = jsonb_set(settings, '{buyers,countriesRefused}', $1::jsonb)",
        [countries],
      )
      server.context.campaign.invalidate()
    }
    await refuseCountries('["EE"]')
    try {
      expect(await order({ country: 'EE' })).toMatchObject({ status: 200, body: first.body })
      expect(await order({ country: 'LV' })).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
      expect(await order({})).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
      expect(await order({ country: 'EE' }, 'order-2')).toMatchObject({
        status: 403,
        code: 'country_refused',
      })
    } finally {
      await refuseCountries('[]')
    }
  })

  test('a key is its buyer’s: another’s of the same name is another key', async () => {
    const [ann, ben] = [await buyer(), await buyer()]
    const order = async (who: object) =>
      (await send('POST', '/orders', asked, { ...who, 'idempotency-key': 'same' })).body.token as string
    const [first, second] = [await order(ann), await order(ben)]
    expect(second).not.toBe(first)
    expect(await order(ann)).toBe(first)
    expect(await send('GET', `/orders/${second}`, undefined, ben)).toMatchObject({ status: 200 })
  })

  test('is nobody else’s to see, cancel or pay [ACCOUNT-2]', async () => {
    const [ann, ben] = [await buyer(), await buyer()]
    const { token } = await newOrder(ann)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/sent', undefined],
      ['PUT', '/transaction-id', { transactionId: '0xabcdef0123' }],
    ] as const) {
      expect(await send(method, `/orders/${token}${path}`, body, ben)).toMatchObject({
        status: 404,
        code: 'order_unknown',
        body: { error: { message: "Transaction doesn't exist" } },
      })
      expect(await send(method, `/orders/${token}${path}`, body)).toMatchObject({ status: 401 })
    }
    expect((await send('POST', `/orders/${token}/sent`, undefined, ann)).status).toBe(200)
  })
})

describe('who may', () => {
  test('401 without a session, 403 without the right, 401 with an ended one', async () => {
    const [ann, support, content, finance] = [
      await buyer(),
      await operator('support'),
      await operator('content'),
      await operator('finance'),
    ]
    const { number } = await newOrder(ann)
    const approve = (headers: object) => send('POST', `/operator/orders/${number}/approve`, {}, headers)
    expect(await approve({})).toMatchObject({ status: 401, code: 'not_signed_in' })
    expect(await approve(ann)).toMatchObject({ status: 401, code: 'not_signed_in' })
    expect(await approve(bearer('o_00000000000000000000000000000000'))).toMatchObject({ status: 401 })
    for (const headers of [support, content])
      expect(await approve(headers)).toMatchObject({ status: 403, code: 'not_for_your_role' })
    expect((await send('GET', '/operator/orders', undefined, support)).status).toBe(200)
    expect(await send('GET', '/operator/orders', undefined, content)).toMatchObject({ status: 403 })
    expect((await approve(finance)).status).toBe(200)
    expect(await send('POST', '/orders', asked, finance)).toMatchObject({ status: 401 })
  })

  test('a grant needs a fresh login', async () => {
    const owner = await operator('owner')
    await run('old_login', "update operator_sessions set authenticated_at = now() - interval '16 minutes'")
    expect(
      await send('POST', '/operator/grants', { email: 'a@example.org', amount: '1', reason: '' }, owner),
    ).toMatchObject({ status: 401, code: 'step_up_required' })
  })

  test('a grant that waits for a second operator happens once, also where its request comes again', async () => {
    const [ann, ben] = [await operator('owner'), await operator('owner')]
    const email = 'granted@example.org'
    await registerToken(server.url, email)
    const ask = (isOn: boolean) =>
      run(
        'two',
        "update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))",
        [isOn],
      )
    await ask(true)
    const grant = () =>
      send(
        'POST',
        '/operator/grants',
        { email, amount: '100', reason: 'thanks' },
        { ...ann, 'idempotency-key': 'grant-once' },
      )
    const answer = await grant()
    expect(answer).toMatchObject({ status: 409, code: 'second_operator_required' })
    const { approvalRequestId } = answer.body.error.details
    const confirmed = await send('POST', `/operator/approval-requests/${approvalRequestId}/confirm`, {}, ben)
    expect(confirmed.status).toBe(200)
    expect((await grant()).status).toBe(200)
    expect((await grant()).status).toBe(200)
    await ask(false)
    expect(
      await run(
        'granted',
        'select h.granted_tokens from holdings h join users u on u.id = h.user_id where u.email = $1',
        [email],
      ),
    ).toEqual([{ granted_tokens: '100.000000' }])
  })

  /** Opens a stream, answers its status and what it says within `ms`. */
  const listen = (query: string, headers: object, ms = 400, meanwhile?: () => Promise<unknown>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(
        `${server.url}/api/v1/live${query}`,
        { headers: { ...headers } },
        (response) => {
          let text = ''
          response.on('data', (bytes) => (text += bytes))
          response.on('close', () => resolve({ status: response.statusCode ?? 0, text }))
          void Promise.resolve(meanwhile?.()).then(() => setTimeout(() => request.destroy(), ms))
        },
      )
      request.on('error', (error: { code?: string }) => error.code !== 'ECONNRESET' && reject(error))
      request.end()
    })

  test('the operators’ stream is for those who may read orders', async () => {
    const [ann, support, content] = [await buyer(), await operator('support'), await operator('content')]
    expect((await listen('', {})).status).toBe(401)
    expect((await listen('?operator=1', {})).status).toBe(401)
    expect((await listen('?operator=1&campaign=1', {})).status).toBe(401)
    expect((await listen('?operator=1', ann)).status).toBe(401)
    expect((await listen('?operator=1', content)).status).toBe(403)
    const heard = await listen('?operator=1', support, 800, () => sentOrder(ann))
    expect(heard.status).toBe(200)
    expect(heard.text).toContain('event: orders')
    const unsent = await listen('?operator=1', support, 800, () => newOrder(ann))
    expect(unsent.text).not.toContain('event: orders')
  })

  test('operators hear that something waits for a second one, and that it was decided', async () => {
    const support = await operator('support')
    const actions = async (kind: string) => {
      const heard = await listen('?operator=1', support, 800, async () => {
        await server.database.db.query(tellOfAction, [kind])
        await server.context.jobs.drain()
      })
      return heard.text
    }
    for (const kind of ['approval_waiting', 'approval_decided'])
      expect(await actions(kind)).toContain('event: actions')
    // What moves no action and no order is not told as one.
    expect(await actions('payment_to_decide')).not.toContain('event: actions')
  })

  test('a buyer hears of own orders only', async () => {
    const [ann, ben] = [await buyer(), await buyer()]
    let made = { number: 0, token: '' }
    const [annHears, benHears] = await Promise.all([
      listen('', ann, 800, async () => (made = await sentOrder(ann))),
      listen('', ben, 1_200),
    ])
    expect(annHears.text).toContain(made.token)
    expect(benHears.text).not.toContain('event: order')
  })

  test('a deleted account’s orders are found by its id, and no more by its e-mail', async () => {
    const [ann, ben, support] = [await buyer(), await buyer(), await operator('support')]
    const made = await newOrder(ann)
    await newOrder(ben)
    const listed = async (query: string) =>
      (await send('GET', `/operator/orders?${query}`, undefined, support)).body.items as Record<
        string,
        unknown
      >[]
    const [found] = await listed(`search=${made.token}`)
    const { email, userId } = found as { email: string; userId: number }
    expect((await listed(`user=${userId}`)).map(({ id }) => id)).toEqual([made.number])
    const gone = await send('POST', '/account/deletion', { proof: { password } }, ann)
    expect(gone.status).toBe(200)
    expect(await listed(`search=${encodeURIComponent(email)}&hidden=true`)).toEqual([])
    const left = await listed(`user=${userId}&hidden=true`)
    expect(left).toMatchObject([{ id: made.number, email: '' }])
    expect(JSON.stringify(left)).not.toContain(email)
    expect((await send('GET', '/operator/orders?user=nobody', undefined, support)).status).toBe(422)
  })

  test('HEAD of the stream ends at once and leaves nobody listening', async () => {
    const before = server.context.live.streams
    const response = await fetch(`${server.url}/api/v1/live?campaign=1`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(patienceMs),
    })
    expect(response.status).toBe(200)
    expect(server.context.live.streams).toBe(before)
  })
})

describe('the carrier', () => {
  test('a known path with another method is 405 and says which', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/orders', 'GET, HEAD, POST'],
      ['PUT', '/operator/orders/1/approve', 'POST'],
      ['POST', '/campaign', 'GET, HEAD'],
      ['PATCH', '/orders/abcdefghijkl', 'GET, HEAD'],
      ['POST', '/live', 'GET, HEAD'],
    ] as const) {
      const answer = await send(method, path, {})
      expect([answer.status, answer.code, answer.headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        allow,
      ])
    }
    expect(await send('GET', '/nothing/here')).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('every answer in JSON is saved, not shown, by a browser that is led to it', async () => {
    const paths = ['/campaign', '/account', '/nothing/here']
    const answers = await Promise.all(paths.map((path) => send('GET', path)))
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404])
    for (const { headers } of answers)
      expect(headers.get('content-disposition')).toBe('attachment; filename="api.json"')
    const page = await fetch(`${server.url}/api/docs`)
    expect(page.headers.get('content-disposition')).toBeNull()
  })

  test('malformed, too large and unreadable requests are 400, 413 and never 500', async () => {
    const ann = await buyer()
    for (const body of ['{', '{"a":1}}', '[', '\u0000', '{"__proto__":{"x":1}}'])
      expect(await send('POST', '/orders/preview', body)).toMatchObject({
        status: 400,
        code: 'malformed_request',
      })
    expect(await send('POST', '/orders/preview', `{"currency":"${'x'.repeat(70_000)}"}`)).toMatchObject({
      status: 413,
      code: 'too_large',
    })
    for (const body of ['null', '[]', '"x"', '1'])
      expect(await send('POST', '/orders/preview', body)).toMatchObject({
        status: 422,
        code: 'invalid_input',
      })
    for (const type of ['text/plain', 'application/xml'])
      expect(await send('POST', '/orders/preview', '{}', { 'content-type': type })).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      })
    expect((await send('POST', '/orders/preview', 'x', { 'content-type': 'text/csv' })).status).toBeLessThan(
      500,
    )
    expect(await send('POST', '/orders', { ...asked, currency: 'U\u0000S' }, ann)).toMatchObject({
      status: 400,
    })
    for (const path of [
      '/orders/%zz',
      '/orders/%00%00%00%00%00%00%00%00%00%00',
      `/orders/${'x'.repeat(500)}`,
    ]) {
      const { status, code } = await send('GET', path, undefined, ann)
      expect([400, 404]).toContain(status)
      expect(code).toBeDefined()
    }
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2'])
      expect(await send('GET', `/orders?${query}`, undefined, ann)).toMatchObject({ status: 422 })
  })

  test('a cursor of another sort, or a forged one, is the first page', async () => {
    const [ann, finance] = [await buyer(), await operator('finance')]
    await sentOrder(ann)
    await sentOrder(ann)
    for (const from of ['created', 'updated', 'status']) {
      const { body } = await send('GET', `/operator/orders?limit=1&sort=${from}`, undefined, finance)
      for (const to of ['created', 'updated', 'status'])
        expect(
          (await send('GET', `/operator/orders?sort=${to}&after=${body.next}`, undefined, finance)).status,
        ).toBe(200)
    }
    for (const after of ['x', 'null', Buffer.from('["2026-99-99 00:00:00+00","1"]').toString('base64url')])
      expect(
        (await send('GET', `/operator/orders?sort=updated&after=${after}`, undefined, finance)).status,
      ).toBeLessThan(500)
  })

  test('HEAD answers as GET does, without the body', async () => {
    const response = await fetch(`${server.url}/api/v1/campaign`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('a busy or closed entry point says when to come back', async () => {
    const owner = await operator('owner')
    const refreshed = await send('POST', '/operator/currencies/refresh-rates', {}, owner)
    expect([refreshed.status, refreshed.code]).toEqual([503, 'rates_unavailable'])
    expect(refreshed.body.error.message).toBe('Failed to fetch crypto rates')
    expect(Number(refreshed.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a cookie alone from another site changes nothing', async () => {
    const id = await addBuyer(server.database.db)
    expect(id).toBeDefined()
    const email = `cookie${(serial += 1)}@example.org`
    const made = await fetch(`${server.url}/api/v1/account`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'presale' },
      body: JSON.stringify({ name: 'A', email, phone: '+37255550000', password, confirmPassword: password }),
    })
    const cookie = String(made.headers.get('set-cookie')).split(';')[0]
    for (const headers of [
      { cookie },
      { cookie, 'x-requested-with': 'presale', origin: 'https://evil.example' },
      { cookie, 'x-requested-with': 'presale', 'sec-fetch-site': 'cross-site' },
    ])
      expect(await send('POST', '/orders', asked, headers)).toMatchObject({
        status: 403,
        code: 'cross_site_request',
      })
    expect((await send('POST', '/orders', asked, { cookie, 'x-requested-with': 'presale' })).status).toBe(200)
  })
})

describe('an order with a key', () => {
  test('whose connection was lost in its commit is free, and its repeat is answered at once [ORDER-8]', async () => {
    const ann = await buyer()
    const order = () => send('POST', '/orders', asked, { ...ann, 'idempotency-key': 'lost' })
    await run(
      'slow_orders',
      `create function test_slow_order() returns trigger language plpgsql as
      $$ begin perform pg_sleep(20); return null; end $$`,
    )
    await run(
      'slow_order_trigger',
      `create constraint trigger test_slow after insert on orders
      initially deferred for each row execute function test_slow_order()`,
    )
    const lost = order()
    const ended = `select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`
    await expect.poll(async () => (await run('end_slow_order', ended)).length).toBe(1)
    expect((await lost).status).toBe(503)
    await run('quick_orders', 'drop trigger test_slow on orders')
    expect((await order()).status).toBe(200)
    expect((await send('GET', '/orders', undefined, ann)).body.items).toHaveLength(1)
  })
})
