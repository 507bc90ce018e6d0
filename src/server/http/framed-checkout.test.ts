import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiCaller, apiOf, password, sendJson } from '../../../test/support/api.ts'
import { addOperators, makeOrder, registerBuyer } from '../../../test/support/every-state.ts'
import { startServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'
import type { OperatorCampaign } from '../../shared/api/campaign.ts'
import { accountPages, buyerPages, operatorPages } from '../../shared/pages.ts'
import { sql } from '../database/database.ts'

const server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
afterAll(() => server.close())
const owner = await addOperators(server)
const visitor = apiOf(server.url)

const allow = async (frameOrigins: string[], as: ApiCaller = owner) => {
  const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  return as<OperatorCampaign>('PUT', '/operator/campaign', {
    revision,
    settings: { ...settings, frameOrigins },
  })
}
const get = async (path: string, headers = {}) => {
  const answer = await fetch(server.url + path, { headers, redirect: 'manual' })
  const policy = answer.headers.get('content-security-policy') ?? ''
  return {
    status: answer.status,
    framers: /frame-ancestors ([^;]*)/.exec(policy)?.[1],
    policy,
    options: answer.headers.get('x-frame-options'),
    cookie: answer.headers.get('set-cookie'),
    body: await answer.text(),
  }
}
const shop = 'https://shop.example'

describe('the list of sites that may frame the checkout', () => {
  it('is empty by default, and there is no such page then [TEXT-17]', async () => {
    const { settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
    expect(settings.frameOrigins).toEqual([])
    for (const path of ['/checkout', '/ru/checkout'])
      expect(await get(path)).toMatchObject({ status: 404, framers: "'none'", options: 'DENY' })
  })

  it('is an owner’s, is audited with before and after, and takes origins alone', async () => {
    for (const login of ['finance', 'content', 'support'])
      await expect(allow([shop], await operatorOf(login))).rejects.toMatchObject({ status: 403 })
    for (const wrong of [
      '*',
      'null',
      'https://*.shop.example',
      `${shop}/`,
      'https://a@shop.example',
      'http://shop.example',
    ])
      await expect(allow([shop, wrong]), wrong).rejects.toMatchObject({ status: 422 })
    await expect(allow(Array.from({ length: 21 }, (_, n) => `https://s${n}.example`))).rejects.toMatchObject({
      status: 422,
    })
    expect((await allow([shop])).settings.frameOrigins).toEqual([shop])
    const { items } = await owner<{ items: object[] }>('GET', '/operator/audit?limit=1')
    expect(items[0]).toMatchObject({
      action: 'campaign.update',
      before: { frameOrigins: [] },
      after: { frameOrigins: [shop] },
    })
  })

  it('is the whole policy of that page, and of no other [TEXT-17]', async () => {
    await allow([shop, 'https://club.example:8443', 'http://localhost:3000'])
    for (const path of ['/checkout', '/ru/checkout', '/checkout?theme=dark&amount=5'])
      expect(await get(path)).toMatchObject({
        status: 200,
        framers: `${shop} https://club.example:8443 http://localhost:3000`,
        options: null,
      })
    const others = [
      '/',
      '/ru',
      '/terms',
      '/transparency',
      '/claim',
      '/updates',
      '/fragments/hero',
      '/checkout/',
      '/checkout/x',
      '/nothing',
      '/admin',
      '/admin?operator=1',
      '/operator',
      '/api/docs',
      '/api/v1/campaign',
      ...Object.values(accountPages).flatMap((page) => [`/${page}`, `/ru/${page}`]),
      ...Object.values(buyerPages).map((page) => `/dashboard/${page}`),
      ...Object.values(operatorPages).map(({ path }) => `/operator/dashboard/${path}`),
    ]
    for (const path of others) {
      const { framers, options } = await get(path)
      expect(options, path).toBe('DENY')
      expect(framers ?? "'none'", path).toBe("'none'")
    }
  })

  it('shows the page in the first language where the sale does not come in the one asked for', async () => {
    const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
    const speak = (at: number, languages: string[]) =>
      owner<OperatorCampaign>('PUT', '/operator/campaign', {
        revision: at,
        settings: { ...settings, languages },
      })
    expect((await get('/ru/checkout')).body).toContain('<html lang="ru"')
    const changed = await speak(revision, ['en'])
    expect((await get('/ru')).status).toBe(404)
    const other = await get('/ru/checkout')
    expect(other).toMatchObject({ status: 200, options: null })
    expect(other.body).toContain('<html lang="en"')
    await speak(changed.revision, ['en', 'ru'])
  })

  it('takes the page away once it is empty again', async () => {
    expect((await allow([shop])).settings.frameOrigins).toEqual([shop])
    expect((await allow([])).settings.frameOrigins).toEqual([])
    expect(await get('/checkout')).toMatchObject({ status: 404, options: 'DENY' })
  })
})

async function operatorOf(login: string): Promise<ApiCaller> {
  const { body } = await sendJson('POST', `${server.url}/api/v1/operator/session`, {
    login,
    password,
    as: 'token',
  })
  return apiOf(server.url, body.token)
}

describe('the page in the frame', () => {
  beforeAll(() => allow([shop]))

  it('is the same for everybody: no session, no cookie, no consent, no visit counted [TEXT-17]', async () => {
    const { body } = await sendJson('POST', `${server.url}/api/v1/account`, {
      name: 'Ann',
      email: 'ann-in-a-frame@example.org',
      phone: '+37255550000',
      password,
      as: 'token',
    })
    expect(body.token).toBeTruthy()
    const answer = await fetch(`${server.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'presale', origin: server.url },
      body: JSON.stringify({ email: 'ann-in-a-frame@example.org', password }),
    })
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0]
    expect(cookie).toMatch(/^session=/)
    expect((await get('/', { cookie })).body).toContain('href="/dashboard"')
    const as = async (headers: object) => {
      const { body: html, cookie: set } = await get('/checkout', headers)
      expect(set).toBeNull()
      return html
    }
    expect(await as({ cookie: `${cookie}; theme=dark; consent=yes` })).toBe(await as({}))
    expect((await get('/checkout?theme=dark')).body).toContain('data-theme="dark"')
    expect((await get('/checkout?theme=%22%3E%3Cscript%3E')).body).not.toMatch(/<html[^>]*data-theme/)
  })

  it('shows no address and no form that sends anything', async () => {
    const { body } = await get('/checkout')
    expect(body).not.toMatch(/<form[^>]*(?:action|method)=|type="password"|walletUri/)
    expect(body).toContain('noindex')
    const links = [...body.matchAll(/<a ([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(links.length).toBeGreaterThan(3)
    // Whatever is opened is opened in a tab of its own, which has no way back to the page around.
    for (const attributes of links) expect(attributes).toMatch(/target="_blank".*rel="noopener"/)
  })
})

describe('an order that a frame follows', () => {
  const newKey = () => randomBytes(32).toString('base64url')
  const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url')
  const follow = async (key: string) =>
    (await visitor<{ orders: object[] }>('POST', '/framed-orders', { key })).orders

  it('is told to whoever has the key, from its making to its decision, with nothing of who buys [TEXT-18]', async () => {
    const buyer = await registerBuyer(server, 'framed@example.org')
    const [key, { number, token }] = [newKey(), await makeOrder(buyer)]
    expect(await follow(key)).toEqual([])
    expect(await buyer('PUT', `/orders/${token}/frame`, { keyHash: hashOf(key) })).toEqual({
      isTold: true,
    })
    const pending = {
      number,
      status: 'pending',
      detail: 'awaiting_payment',
      tokens: '42',
      currency: 'USDT',
      amount: '180',
    }
    const [told] = await follow(key)
    expect(told).toEqual({
      ...pending,
      tokens: expect.stringMatching(/^42(\.0+)?$/),
      amount: expect.stringMatching(/^180(\.0+)?$/),
    })
    await owner('POST', `/operator/orders/${number}/approve`, { reason: 'seen' })
    expect(await follow(key)).toMatchObject([{ number, status: 'approved' }])
    // The hash, which stood in the link, opens nothing.
    expect(await follow(hashOf(key))).toEqual([])
    expect(await buyer('PUT', `/orders/${token}/frame`, { keyHash: null })).toEqual({ isTold: false })
    expect(await follow(key)).toEqual([])
  })

  it('is told to nobody where its buyer did not say so, and by nobody else [TEXT-18]', async () => {
    const [buyer, other] = [
      await registerBuyer(server, 'untold@example.org'),
      await registerBuyer(server, 'other@example.org'),
    ]
    const [key, { token }] = [newKey(), await makeOrder(buyer)]
    const tell = (who: ApiCaller, keyHash: unknown) => who('PUT', `/orders/${token}/frame`, { keyHash })
    await expect(tell(other, hashOf(key))).rejects.toMatchObject({ code: 'order_unknown' })
    await expect(tell(other, null)).rejects.toMatchObject({ code: 'order_unknown' })
    await expect(tell(visitor, hashOf(key))).rejects.toMatchObject({ status: 401 })
    for (const wrong of ['', 'a'.repeat(42), `${'a'.repeat(42)}=`, `${'a'.repeat(44)}`, 7])
      await expect(tell(buyer, wrong)).rejects.toMatchObject({ status: 422 })
    expect(await follow(key)).toEqual([])
    for (const wrong of ['', '%', 'a'.repeat(44), null])
      await expect(visitor('POST', '/framed-orders', { key: wrong })).rejects.toMatchObject({ status: 422 })
  })

  it('is followed for thirty days, stands in the export of own data without the hash, and goes with the account', async () => {
    const buyer = await registerBuyer(server, 'framed-and-gone@example.org')
    const [key, { number, token }] = [newKey(), await makeOrder(buyer)]
    await buyer('PUT', `/orders/${token}/frame`, { keyHash: hashOf(key) })
    expect(await follow(key)).toHaveLength(1)
    const { db } = server.database
    const age = (days: number) =>
      db.query(
        statement(
          'test_age_framed',
          `update framed_orders set told_at = now() - make_interval(days => $1::int) where order_id = $2`,
        ),
        [days, number],
      )
    await age(31)
    expect(await follow(key)).toEqual([])
    await age(29)
    expect(await follow(key)).toHaveLength(1)
    const data = await buyer<Record<string, unknown>>('GET', '/account/export')
    expect(data['framedOrders']).toEqual([{ order_id: String(number), told_at: expect.any(String) }])
    await db.query(sql`update orders set expires_at = now() where id = ${number}`)
    expect(await follow(key)).toMatchObject([{ detail: 'expired' }])
    await buyer('POST', '/account/deletion', { proof: { password } })
    expect(await follow(key)).toEqual([])
  })
})
