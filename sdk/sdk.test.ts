import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signMessage } from '../src/server/integrations/send-message.ts'
import { operatorToken, password, registerToken } from '../test/support/api.ts'
import { freePort } from '../test/support/database-server.ts'
import { startServer, type TestServer } from '../test/support/server.ts'
import { Presale, PresaleRefusal, PresaleUnreachable, type SaleEvent } from './client.ts'
import { EventReader, eventsOf } from './events.ts'
import { readWebhook } from './webhooks.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

interface Sent {
  readonly address: string
  readonly key: string | null
}

/** A sale that answers one thing after the other. */
function saleOf(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = []
  const sale = new Presale({
    url: 'https://sale.example',
    token: () => 'secret',
    retries: 3,
    fetch: async (address, { headers } = {}) => {
      const answer = answers[sent.length]
      sent.push({ address: String(address), key: new Headers(headers).get('idempotency-key') })
      if (answer instanceof Response) return answer
      throw answer ?? new TypeError('no more')
    },
  })
  return { sale, sent }
}

const json = (body: object, status = 200) => Response.json(body, { status })
const refusal = (status: number, code: string, details = {}) =>
  json({ error: { code, message: code, details, requestId: 'r' } }, status)

describe('a call', () => {
  const body = { currency: 'BTC', amount: '200', unit: 'token', acceptTerms: true } as const

  it('that creates is repeated under one key until an answer comes', async () => {
    const order = { number: 1, token: 't', address: 'a', cryptoAmount: '1', expiresAt: '' }
    const { sale, sent } = saleOf(
      new TypeError('lost'),
      new Response('<html>', { status: 502 }),
      refusal(409, 'idempotency_in_progress'),
      json(order),
    )
    expect(await sale.call('POST /orders', { body })).toEqual(order)
    expect(sent.map(({ address }) => address)).toEqual(Array(4).fill('https://sale.example/api/v1/orders'))
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent[0]?.key).toMatch(/^[\w-]{36}$/)
  })

  it('names its key where no answer came at all, so that the caller may go on with it', async () => {
    const { sale, sent } = saleOf()
    const error = await sale.call('POST /orders', { body, idempotencyKey: 'mine' }).catch((caught) => caught)
    expect(error).toBeInstanceOf(PresaleUnreachable)
    expect(error.idempotencyKey).toBe('mine')
    expect(sent).toHaveLength(4)
  })

  it('that changes something without a key is sent once, and again only where it was told to wait', async () => {
    const call = (sale: Presale) => sale.call('POST /orders/{token}/sent', { path: { token: 'a/b' } })
    const lost = saleOf(new TypeError('lost'))
    await expect(call(lost.sale)).rejects.toThrow(PresaleUnreachable)
    expect(lost.sent).toEqual([{ address: 'https://sale.example/api/v1/orders/a%2Fb/sent', key: null }])
    const busy = saleOf(refusal(503, 'unavailable'))
    await expect(call(busy.sale)).rejects.toMatchObject({ status: 503 })
    const waiting = saleOf(
      refusal(429, 'too_many_requests', { retryAfterSeconds: 0.01 }),
      new Response(null, { status: 204 }),
    )
    expect(await call(waiting.sale)).toBeUndefined()
  })

  it('is not repeated where the sale refuses, and says why', async () => {
    const { sale, sent } = saleOf(refusal(409, 'cap_reached', { left: '7' }))
    const error = await sale.call('POST /orders', { body }).catch((caught) => caught)
    expect(error).toBeInstanceOf(PresaleRefusal)
    expect(error).toMatchObject({ status: 409, code: 'cap_reached', details: { left: '7' }, requestId: 'r' })
    expect(sent).toHaveLength(1)
  })

  it('ends when its caller gives up, also between two attempts', async () => {
    const { sale, sent } = saleOf(refusal(429, 'too_many_requests', { retryAfterSeconds: 60 }))
    const signal = AbortSignal.timeout(50)
    await expect(sale.call('GET /campaign', { signal })).rejects.toThrow(/timeout/i)
    expect(sent).toHaveLength(1)
  })
})

describe('a webhook', () => {
  const secret = `whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`
  const other = `whsec_${Buffer.from('o'.repeat(32)).toString('base64')}`
  const body = JSON.stringify({ id: 'msg_1', number: 5, type: 'order.created', timestamp: '', data: {} })
  const now = 1_800_000_000_000
  const headersOf = (by: string, { id = 'msg_1', at = now / 1_000 } = {}) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signMessage(by, id, at, body),
  })
  const read = (headers: Record<string, string>, text = body) => readWebhook(secret, headers, text, { now })

  it('is read where the server signed it, also beside a signature by another secret', async () => {
    expect(await read(headersOf(secret))).toMatchObject({ number: 5, type: 'order.created' })
    const both = `${headersOf(other)['webhook-signature']} ${headersOf(secret)['webhook-signature']}`
    expect(await read({ ...headersOf(secret), 'webhook-signature': both })).toMatchObject({ number: 5 })
    expect(await readWebhook(secret, new Headers(headersOf(secret)), body, { now })).toMatchObject({
      number: 5,
    })
  })

  it.each([
    ['signature', headersOf(other), body],
    ['signature', headersOf(secret), body.replace('5', '6')],
    ['signature', { ...headersOf(secret), 'webhook-id': 'msg_2' }, body],
    ['signature', { ...headersOf(secret), 'webhook-signature': 'v1,' }, body],
    ['signature', { ...headersOf(secret), 'webhook-signature': 'v1,%' }, body],
    ['time', headersOf(secret, { at: now / 1_000 - 301 }), body],
    ['time', headersOf(secret, { at: now / 1_000 + 301 }), body],
    ['time', { ...headersOf(secret), 'webhook-timestamp': 'NaN' }, body],
    ['headers', {}, body],
    // Signed, but the body is another message's.
    ['body', headersOf(secret, { id: 'msg_2' }), body],
  ])('is refused by its %s', async (reason, headers, text) => {
    await expect(read(headers as Record<string, string>, text)).rejects.toMatchObject({ reason })
  })
})

describe('events', () => {
  const all: SaleEvent[] = Array.from({ length: 1_203 }, (_, index) => ({
    id: `msg_${index + 1}`,
    number: index + 1,
    type: 'order.created',
    timestamp: '',
    data: {},
  }))
  /** A sale that has told the first so many. */
  const saleThatTold = (told: () => number) =>
    new Presale({
      url: 'https://sale.example',
      fetch: async (address) => {
        const { searchParams } = new URL(String(address))
        const [after, limit] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit'))]
        return json({ items: all.slice(after, Math.min(after + limit, told())), last: told() })
      },
    })
  const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index)

  it('are read to the newest, over pages, from the number that was kept', async () => {
    const seen: number[] = []
    for await (const { number } of eventsOf(
      saleThatTold(() => 1_203),
      { after: 3 },
    ))
      seen.push(number)
    expect(seen).toEqual(numbers(1_200, 4))
  })

  it('come once and in order, however webhooks arrive [RIGHT-30]', async () => {
    let told = 4
    const seen: number[] = []
    const reader = new EventReader(
      saleThatTold(() => told),
      undefined,
      ({ number }) => void seen.push(number),
    )
    await Promise.all([reader.notice({ number: 4 }), reader.notice({ number: 2 }), reader.catchUp()])
    told = 9
    await Promise.all([7, 9, 5, 9].map((number) => reader.notice({ number })))
    expect(seen).toEqual(numbers(9))
    expect(reader.number).toBe(9)
  })

  it('that the sale has lost are not asked for again and again', async () => {
    let asked = 0
    const sale = saleThatTold(() => {
      asked += 1
      if (asked > 20) throw new Error('asked for ever')
      return 3
    })
    const reader = new EventReader(sale, 2, () => undefined)
    await reader.notice({ number: 7 })
    expect(reader.number).toBe(3)
  })

  it('whose handling failed come again', async () => {
    const seen: number[] = []
    let fails = true
    const reader = new EventReader(
      saleThatTold(() => 3),
      0,
      ({ number }) => {
        if (number === 2 && fails) throw new Error('crash')
        seen.push(number)
      },
    )
    await expect(reader.notice({ number: 3 })).rejects.toThrow('crash')
    fails = false
    await reader.catchUp()
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('the examples', () => {
  let server: TestServer
  let folder: string
  let key: string
  let tested: Set<string>

  beforeAll(async () => {
    tested = new Set()
    folder = await mkdtemp(join(tmpdir(), 'sdk-'))
    const [started] = await Promise.all([
      startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }),
      run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'sdk')]),
    ])
    server = started
    const owner = new Presale({ url: server.url, token: await operatorToken(server.url, 'owner') })
    const scopes = ['orders:read', 'orders:decide', 'events:read'] as const
    key = (
      await owner.call('POST /operator/api-keys', {
        body: { name: 'Shop', scopes: [...scopes], proof: { password } },
      })
    ).key
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (name: string, token: string, environment: object = {}) => {
    tested.add(name)
    return { env: { ...process.env, SALE_URL: server.url, TOKEN: token, ...environment } }
  }
  const say = async (name: string, token: string, ...args: string[]) => {
    const options = start(name, token)
    return (await run(process.execPath, [join(root, 'sdk/examples', name), ...args], options)).stdout
  }

  it('buy, approve, follow and listen as they say', async () => {
    expect(await say('figures.mjs', '')).toMatch(/^1 ITOKEN costs \$[\d.]+\n$/)
    const bought = await say('buy.mjs', await registerToken(server.url), 'BTC', '200', 'EE')
    const [, id = ''] = /Order (\d+): send [\d.]+ BTC to \w+\n$/.exec(bought) ?? []
    expect(await say('approve.mjs', key, id)).toBe(`Order ${id}: approved\n`)

    const sale = new Presale({ url: server.url, token: key })
    const told = async () => {
      const { items } = await sale.call('GET /events', { query: { limit: 500 } })
      return items.filter(({ data }) => String(data['id']) === id)
    }
    await expect
      .poll(async () => (await told()).map(({ type }) => type))
      .toEqual(['order.created', 'order.approved'])
    const file = join(folder, 'last')
    const followed = await say('follow-events.mjs', key, file)
    const last = (await told()).at(-1)
    expect(followed).toContain(`${last?.number} order.approved {`)
    expect(await say('follow-events.mjs', key, file)).toBe('')
    expect(Number(await readFile(file, 'utf8'))).toBeGreaterThanOrEqual(last?.number ?? Infinity)
  })

  it('lets pages of other sites read what is public, and nothing else', async () => {
    const originOf = async (path: string) =>
      (
        await fetch(`${server.url}/api/v1${path}`, { headers: { origin: 'https://shop.example' } })
      ).headers.get('access-control-allow-origin')
    expect(await originOf('/campaign')).toBe('*')
    for (const path of ['/account', '/orders', '/events', '/operator/orders'])
      expect(await originOf(path)).toBeNull()
  })

  it('of a listener refuse what is not signed, and print each event once', async () => {
    const secret = `whsec_${Buffer.from('s'.repeat(32)).toString('base64')}`
    const port = await freePort()
    const options = start('receive-webhooks.mjs', key, { WEBHOOK_SECRET: secret, PORT: String(port) })
    const listener = spawn(process.execPath, [join(root, 'sdk/examples/receive-webhooks.mjs')], options)
    try {
      let said = ''
      listener.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
      await expect.poll(() => said).toBe('listening\n')
      const { items } = await new Presale({ url: server.url, token: key }).call('GET /events')
      const event = items.at(-1)
      const body = JSON.stringify(event)
      const send = (by: string) => {
        const at = Math.floor(Date.now() / 1_000)
        const headers = {
          'webhook-id': event?.id ?? '',
          'webhook-timestamp': String(at),
          'webhook-signature': signMessage(by, event?.id ?? '', at, body),
        }
        return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      }
      expect((await send('whsec_YWJj')).status).toBe(400)
      expect([(await send(secret)).status, (await send(secret)).status]).toEqual([204, 204])
      expect(said.split('\n').slice(1, -1)).toEqual(items.map(({ number, type }) => `${number} ${type}`))
    } finally {
      listener.kill()
      await once(listener, 'exit')
    }
  })

  it('are all tested', async () => {
    expect([...tested].toSorted()).toEqual((await readdir(join(root, 'sdk/examples'))).toSorted())
  })
})
