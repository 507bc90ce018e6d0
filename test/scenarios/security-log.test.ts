import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/server/log.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

interface Line {
  readonly msg: string
  readonly event: string
  readonly who: string | null
  readonly account?: string
  readonly network: string
  readonly requestId: string
  readonly limit?: string
  readonly times?: number
}

let written = ''
let staff: Staff

beforeAll(async () => {
  const log = createLog('info', { write: (text: string) => (written += text) })
  staff = await startWithOwner({ RATE_LIMIT: 'on' }, { log })
})
afterAll(() => staff.close())

const lines = (): Line[] =>
  written
    .split('\n')
    .filter((text) => text.includes('"msg":"security"'))
    .map((text) => JSON.parse(text))

/** The lines that `work` leaves behind. */
async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
  const before = lines().length
  await work()
  await expect.poll(() => lines().length).toBeGreaterThan(before)
  return lines().slice(before)
}
const call = (method: string, path: string, body?: unknown, headers: object = {}) =>
  sendJson(method, `${staff.server.url}/api/v1${path}`, body, headers)

test('each event of access is one line that says who, from where and in which request [RIGHT-35]', async () => {
  const signIn = (given: string) =>
    call('POST', '/operator/session', { login: 'owner', password: given, as: 'token' })
  const [failed] = await linesOf(() => signIn('not the password'))
  expect(failed).toMatchObject({ event: 'login_failed', who: null, network: '127.0.0.1' })
  const [again] = await linesOf(() => signIn('nor this one, either'))
  expect(again?.account).toBe(failed?.account)
  const [login] = await linesOf(() => signIn(password))
  expect(login).toMatchObject({ event: 'login', who: 'operator:1' })

  const invite = () => staff.ask('owner', 'POST', '/operator/operators', { login: 'sue', role: 'support' })
  expect(await linesOf(invite)).toMatchObject([{ event: 'operator_changed', who: 'operator:1' }])
  const stepUp = () => staff.ask('owner', 'POST', '/operator/session/step-up', { password })
  expect(await linesOf(stepUp)).toMatchObject([{ event: 'step_up', who: 'operator:1' }])
  const typed = () => staff.ask('owner', 'PUT', '/operator/currencies/ETH', { address: 'ab'.repeat(32) })
  expect(await linesOf(typed)).toMatchObject([{ event: 'private_key_refused', who: 'operator:1' }])

  const { items } = (await staff.ask('owner', 'GET', '/operator/currencies')).body
  const { revision, rate } = items.find(({ code }: { code: string }) => code === 'LTC')
  const setRate = () => staff.ask('owner', 'PUT', '/operator/currencies/LTC', { revision, rate })
  expect(await linesOf(setRate)).toMatchObject([{ event: 'rate_changed', who: 'operator:1' }])

  const { body } = await staff.ask('owner', 'POST', '/operator/api-keys', {
    name: 'k',
    scopes: ['orders:read'],
    proof: { password },
  })
  const byKey = () => call('GET', '/operator/users', undefined, bearer(body.key))
  expect(await linesOf(byKey)).toMatchObject([
    { event: 'key_used', who: 'key:1' },
    { event: 'right_refused', who: 'key:1' },
  ])
  const buyer = await registerToken(staff.server.url, 'Ann.Buyer@example.org')
  expect(lines().at(-1)).toMatchObject({ event: 'login', who: 'user:1' })
  const [legacy] = await linesOf(() =>
    sendJson('POST', `${staff.server.url}/api/controllers/users.php`, {
      type: 'login',
      email: 'ann.buyer@example.org',
      pass: 'wrong',
    }),
  )
  expect(legacy).toMatchObject({ event: 'login_failed', who: null })
  for (const secret of [
    'ann.buyer',
    'Ann.Buyer',
    password,
    'not the password',
    'ab'.repeat(32),
    buyer,
    body.key,
  ])
    expect(written).not.toContain(secret)
  for (const { requestId } of lines()) expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
})

test('a limit that is reached is a line and a figure, by its name [RIGHT-35]', async () => {
  const reset = () => call('POST', '/account/password-resets', { email: 'nobody@example.org' })
  const [reached] = await linesOf(async () => {
    for (let n = 0; n < 12; n += 1) await reset()
  })
  expect(reached).toMatchObject({ event: 'limit_reached', network: '127.0.0.1' })
  await expect.poll(() => lines().at(-1)?.limit).toBe('reset_network')
  const metrics = await (await fetch(`${staff.server.url}/metrics`)).text()
  expect(metrics).toMatch(/presale_limits_reached_total\{limit="reset_network"\} [1-9]/)
  expect(metrics).toMatch(/presale_security_events_total\{event="login_failed"\} [1-9]/)
  const answered = (status: string) =>
    Number(new RegExp(`presale_http_request_seconds_count\\{status="${status}"\\} (\\d+)`).exec(metrics)?.[1])
  expect(answered('4xx')).toBeGreaterThan(0)
  expect(answered('5xx')).toBe(0)
})

test('a limit that is reached again and again is a line a second that says how often [RIGHT-35]', async () => {
  const reset = () => call('POST', '/account/password-resets', { email: 'nobody@example.org' })
  const before = lines().length
  await Promise.all(Array.from({ length: 30 }, reset))
  const told = () =>
    lines()
      .slice(before)
      .filter(({ limit }) => limit === 'reset_network')
  await expect.poll(() => told().reduce((sum, { times = 0 }) => sum + times, 0)).toBeGreaterThanOrEqual(30)
  expect(told().length).toBeLessThanOrEqual(4)
  for (const line of told()) expect(line).toMatchObject({ event: 'limit_reached', network: '127.0.0.1' })
})

test('the example alerts and the guide name what the server counts, and every event of it [RIGHT-35]', async () => {
  const metrics = await (await fetch(`${staff.server.url}/metrics`)).text()
  const monitoring = (name: string) =>
    readFile(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')
  const alerts = await monitoring('alerts.yml')
  const guide = await readFile(new URL('../../docs/operating/monitoring.md', import.meta.url), 'utf8')
  for (const text of [alerts, await monitoring('alerts.test.yml'), await monitoring('board.json')]) {
    const names = new Set(
      [...text.matchAll(/presale_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, '')),
    )
    expect(names.size).toBeGreaterThan(3)
    for (const name of names) expect(metrics).toContain(`# HELP ${name} `)
  }
  const kinds = [...alerts.matchAll(/\bkind=~?"([\w|]+)"/g)].flatMap(([, list]) => list?.split('|') ?? [])
  for (const kind of kinds) expect(metrics).toContain(`presale_attention{kind="${kind}"} 0`)
  expect(metrics).toMatch(/^presale_sale_read_timestamp_seconds \d{10}/m)
  const events = [...metrics.matchAll(/presale_security_events_total\{event="(\w+)"\}/g)].map(
    ([, event]) => event,
  )
  expect(events.length).toBeGreaterThan(20)
  const named = [...alerts.matchAll(/event=~?"([\w|]+)"/g)].flatMap(([, list]) => list?.split('|') ?? [])
  for (const event of named) expect(events).toContain(event)
  for (const event of events) expect(guide).toContain(`\`${event}\``)
})
