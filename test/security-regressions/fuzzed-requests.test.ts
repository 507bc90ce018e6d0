import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { USER_TOKEN_PREFIX } from '../../src/server/accounts/accounts.ts'
import { sql } from '../../src/server/database/database.ts'
import { createLog } from '../../src/server/log.ts'
import { OPERATOR_TOKEN_PREFIX } from '../../src/server/operators/operators.ts'
import { hashToken, newToken } from '../../src/server/secrets/secrets.ts'
import {
  against,
  allowedBy,
  encode,
  hardValue,
  type JsonSchema,
  type Sent,
  sentAs,
} from '../support/fuzzing.ts'
import { slowness } from '../support/patience.ts'
import { startServer, type TestServer } from '../support/server.ts'

// All routes of `/api/v1`, by and against their schemas, and the legacy API. No request is answered by 500 or
// a secret, or costs more than a request may.

interface Operation {
  method: string
  path: string
  audience: 'visitor' | 'buyer' | 'operator'
  params: { name: string; in: 'path' | 'query'; schema: JsonSchema }[]
  body: JsonSchema | undefined
}

interface OpenApi {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, JsonSchema> }
}

interface Described {
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; schema: JsonSchema }[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
}

const SECRET_KEY = 'the-secret-key-that-nobody-may-read'
const OWNER_PASSWORD = 'a password of the owner'
const FIXED_SEED = 20_261_122
/** A fixed seed, so that fixed bugs stay fixed, and a random one, printed on failure. */
const SEEDS = [FIXED_SEED, randomInt(2 ** 31)]
/** For each route, seed and kind of body. */
const TRIES = 8
/** The limit of this process's processor time, which includes the server's. Waiting may take ten seconds. */
const CPU_MS_MAX = 2_000
const WAIT_MS_MAX = 10_000 * slowness
const HEAP_BYTES_MAX = 64 * 1024 * 1024
const ANSWER_BYTES_MAX = 2_000_000

const log: string[] = []
let server: TestServer
let all: Record<string, JsonSchema> = {}
let operations: Operation[] = []

beforeAll(async () => {
  server = await startServer(
    {
      SECRET_KEY,
      OPERATOR_LOGIN: 'owner',
      OPERATOR_PASSWORD: OWNER_PASSWORD,
      PRICE_API_URL: 'off',
      PRICE_KRAKEN_URL: 'off',
      PRICE_COINBASE_URL: 'off',
    },
    { log: createLog('info', { write: (line) => log.push(line) }) },
  )
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApi
  all = document.components.schemas
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(method, path, described)),
  )
})

afterAll(() => server?.close())

function operationOf(method: string, path: string, described: Described): Operation {
  const audience = Object.keys(described.security?.[0] ?? {})[0] as 'buyer' | 'operator' | undefined
  return {
    method: method.toUpperCase(),
    path,
    audience: audience ?? 'visitor',
    params: (described.parameters ?? []).filter(({ in: where }) => where !== 'header') as Operation['params'],
    body: described.requestBody?.content['application/json'].schema,
  }
}

let people = 0

/** A new person with a fresh login for each route, because some routes end the session or the account. */
async function tokenFor(audience: Operation['audience']): Promise<string | undefined> {
  if (audience === 'visitor') return undefined
  people += 1
  const { db } = server.database
  const token = newToken(audience === 'buyer' ? USER_TOKEN_PREFIX : OPERATOR_TOKEN_PREFIX)
  if (audience === 'buyer') {
    await db.query(sql`
      with person as (insert into users (name, email, email_key, confirmed_at)
                      values ('F', ${`f${people}@example.org`}, ${`f${people}@example.org`}, now()) returning id)
      insert into user_sessions (token_hash, user_id, kind, expires_at)
      select ${hashToken(token)}, id, 'token', now() + interval '1 day' from person`)
  } else {
    await db.query(sql`
      with person as (insert into operators (login, role)
                      values (${`fuzz${people}`}, 'owner') returning id)
      insert into operator_sessions (token_hash, operator_id, kind, expires_at)
      select ${hashToken(token)}, id, 'token', now() + interval '1 day' from person`)
  }
  return token
}

const asPath = (value: unknown) =>
  encode(typeof value === 'string' ? value : String(JSON.stringify(value))).slice(0, 400)

/** Address and body, each as documented or not. */
function requestsOf(operation: Operation) {
  const values = operation.params.map(({ schema }) =>
    fc.oneof({ weight: 3, arbitrary: allowedBy(schema, all) }, hardValue),
  )
  const url = fc.tuple(...values).map((given) => {
    const query = new URLSearchParams()
    let path = operation.path
    operation.params.forEach((param, index) => {
      if (param.in === 'path') path = path.replace(`{${param.name}}`, () => asPath(given[index]) || '1')
      else
        query.set(
          param.name,
          decodeURIComponent(
            asPath(given[index])
              .replace(/%[^%]?$/, '')
              .replaceAll('%', '%25'),
          ),
        )
    })
    const asked = query.toString()
    return asked ? `${path}?${asked}` : path
  })
  const body = operation.body ? bodiesOf(allowedBy(operation.body, all)) : fc.constant(undefined)
  return fc.record({ url, sent: body })
}

function bodiesOf(allowed: fc.Arbitrary<unknown>): fc.Arbitrary<Sent> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: allowed.map((value) => ({
        contentType: 'application/json',
        body: JSON.stringify(value) ?? '',
      })),
    },
    { weight: 2, arbitrary: sentAs(against(allowed)) },
    sentAs(allowed),
    sentAs(hardValue),
  )
}

/** Sends one request and holds its answer against what every answer has to keep. */
async function expectSound(method: string, url: string, sent: Sent | undefined, token: string | undefined) {
  const what = `${method} ${url} ${String(sent?.body ?? '').slice(0, 300)}`
  const heap = heapBytes()
  const cpu = process.cpuUsage()
  const reply = await fetch(server.url + url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(WAIT_MS_MAX),
    headers: {
      ...(sent?.contentType === undefined ? {} : { 'content-type': sent.contentType }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(sent?.body === undefined || method === 'GET' || method === 'HEAD'
      ? {}
      : { body: sent.body as BodyInit }),
  })
  const isStream = reply.headers.get('content-type')?.includes('event-stream') ?? false
  if (isStream) await reply.body?.cancel()
  const text = isStream ? '' : await reply.text()
  const spent = process.cpuUsage(cpu)
  expect(reply.status, `${what}\n${text.slice(0, 500)}\n${log.slice(-2).join('\n').slice(0, 3000)}`).not.toBe(
    500,
  )
  if (reply.status >= 500)
    expect(JSON.parse(text).error?.code ?? JSON.parse(text).code, what).not.toBe('internal')
  expect((spent.user + spent.system) / 1000, what).toBeLessThan(CPU_MS_MAX)
  expect(heapBytes() - heap, what).toBeLessThan(HEAP_BYTES_MAX)
  expect(text.length, what).toBeLessThan(ANSWER_BYTES_MAX)
  expectNoSecret(text, what)
  return reply.status
}

function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Checks that a text has no secrets of the server and no internals. */
function expectNoSecret(text: string, what: string): void {
  for (const secret of [
    SECRET_KEY,
    OWNER_PASSWORD,
    '$argon2id$',
    'password_hash',
    'src/server/',
    'node_modules/',
  ]) {
    if (text.includes(secret)) expect.fail(`${secret} in the answer to ${what}: ${text.slice(0, 500)}`)
  }
}

/** One sample of a seed is always the same requests. */
async function sendAll(seed: number): Promise<{ sent: number; let: number }> {
  const count = { sent: 0, let: 0 }
  for (const operation of operations) {
    let token = await tokenFor(operation.audience)
    const tries = operation.body ? TRIES * 2 : TRIES
    for (const { url, sent } of fc.sample(requestsOf(operation), { seed, numRuns: tries })) {
      const status = await expectSound(operation.method, url, sent, token)
      count.sent += 1
      if (status !== 401) count.let += 1
      // The request has ended its own session or account.
      else token = await tokenFor(operation.audience)
    }
  }
  return count
}

describe.each(SEEDS)('seed %i', (seed) => {
  test('every route of /api/v1 answers what it is not made for', async () => {
    const count = await sendAll(seed)
    expect(count.sent).toBeGreaterThan(1000)
    // Requests rejected at the entry point prove nothing about the code behind it.
    expect(count.let / count.sent).toBeGreaterThan(0.9)
  })

  test('so does the legacy API, in each of its forms', async () => {
    const words = fc.constantFrom(
      ...'type login reg email pass name phone phone_number token admin_token userToken balance bonusTokens id value currency fullName rate address cryptoToTransfer amountToTransfer amountToReceive bonus status approved login password code oldPassword newPassword api_key api_key_secondary location api page limit'.split(
        ' ',
      ),
    )
    const fields = fc.dictionary(words, fc.oneof(words, hardValue), { maxKeys: 8 })
    const requests = fc.record({
      file: fc.constantFrom('users', 'mainCurrency', 'cryptos', 'transactions', 'admin', 'pixels'),
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      query: fc.dictionary(words, fc.oneof(words, fc.string({ unit: 'binary' })), { maxKeys: 3 }),
      sent: bodiesOf(fc.oneof(fields, fc.array(fields, { maxLength: 3 }))),
      who: fc.constantFrom('visitor' as const, 'buyer' as const, 'operator' as const),
    })
    const tokens = {
      visitor: undefined,
      buyer: await tokenFor('buyer'),
      operator: await tokenFor('operator'),
    }
    for (const { file, method, query, sent, who } of fc.sample(requests, { seed, numRuns: 500 })) {
      const asked = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`)
      await expectSound(method, `/api/controllers/${file}.php?${asked.join('&')}`, sent, tokens[who])
    }
  })
})

test('confirmations by a sum that is no number are invalid input', async () => {
  const body = JSON.stringify({
    rules: [
      { belowUsd: 'https://example.org/x', confirmations: 1 },
      { belowUsd: '5', confirmations: 2 },
      { belowUsd: null, confirmations: 3 },
    ],
  })
  const routes = operations.filter(({ path, method }) => path.endsWith('/confirmations') && method === 'PUT')
  expect(routes).not.toEqual([])
  const token = await tokenFor('operator')
  for (const { method, path } of routes) {
    const status = await expectSound(
      method,
      path.replaceAll(/\{\w+\}/g, 'ethereum'),
      { contentType: 'application/json', body },
      token,
    )
    expect(status).toBe(422)
  }
})

test('a body that is cut or never comes ends its own connection, and delays nobody', async () => {
  const { port } = new URL(server.url)
  const posts = operations.filter(({ method }) => method !== 'GET')
  const open = [
    ...posts.map(({ method, path }) => `${method} ${path}`),
    'POST /api/controllers/users.php',
  ].map((line) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `${line.replaceAll(/\{\w+\}/g, '1')} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a":`,
    )
    return socket
  })
  // Half of them stop in the middle; the others say nothing more, and the server goes on serving.
  for (const socket of open.slice(0, open.length / 2)) socket.destroy()
  const startedAt = process.cpuUsage()
  await expectSound('GET', '/api/v1/campaign', undefined, undefined)
  await expectSound(
    'POST',
    '/api/v1/session',
    { contentType: 'application/json', body: '{"email":' },
    undefined,
  )
  const spent = process.cpuUsage(startedAt)
  expect((spent.user + spent.system) / 1000).toBeLessThan(CPU_MS_MAX)
  for (const socket of open) socket.destroy()
})

test('nothing that was sent or is secret stands in the log', () => {
  const written = log.join('\n')
  expectNoSecret(written.replaceAll(/"stack":"(?:[^"\\]|\\.)*"/g, ''), 'the log')
  expect(log.filter((line) => line.includes('request failed: internal'))).toEqual([])
})
