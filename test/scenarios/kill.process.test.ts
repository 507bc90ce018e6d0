import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type ApiCaller, apiOf, operatorToken, password, registerToken } from '../support/api.ts'
import {
  makeDataDir,
  type RunningServer,
  removeDataDir,
  runProgram,
  startServerProgram,
} from '../support/program.ts'
import { until } from '../support/until.ts'

const ROUNDS = 20
const BUYERS = 6
const SETTINGS = {
  RATE_LIMIT: 'off',
  OPERATOR_LOGIN: 'owner',
  OPERATOR_PASSWORD: password,
}

const dataDir = await makeDataDir('disk')
let server: RunningServer | undefined

afterAll(async () => {
  await server?.kill()
  await removeDataDir(dataDir)
})

interface Acknowledged {
  /** By order number: the key with which it was made, and its buyer. */
  orders: Map<number, { key: string; buyer: number }>
  approved: Set<number>
}

interface OrderRow {
  number: number
  status: string
}

/** Twenty kills at any moment of a load of orders and approvals, the last thing that the server knows about. */
test('what was acknowledged is there exactly once after every kill -9, and the ledger holds [LEDGER-4]', async () => {
  server = await startServerProgram(SETTINGS, dataDir)
  const { url: first } = server
  const tokens = await Promise.all(Array.from({ length: BUYERS }, () => registerToken(first)))
  const all: Acknowledged = { orders: new Map(), approved: new Set() }

  for (let round = 0; round < ROUNDS; round += 1) {
    const { url } = server
    const operator = apiOf(url, await operatorToken(url, SETTINGS.OPERATOR_LOGIN))
    const load = tokens.map((token, buyer) => buyUntilKilled(apiOf(url, token), buyer, all))
    load.push(approveUntilKilled(operator, all), approveUntilKilled(operator, all))
    // However slow the machine, each round has something to lose.
    const made = all.orders.size + 2
    const approved = all.approved.size + 2
    await until(() => all.orders.size >= made && all.approved.size >= approved)
    await delay(randomInt(300))
    await server.kill()
    await Promise.all(load)
    server = await startServerProgram(SETTINGS, dataDir)
    await expectAllThere(server.url, tokens, all)
  }
  expect(all.orders.size).toBeGreaterThan(ROUNDS)
  expect(all.approved.size).toBeGreaterThan(ROUNDS)

  const { code, output } = await runProgram(['dist/server/ledger-check.js'], { DATA_DIR: dataDir })
  expect(output).toMatch(/All \d+ rules hold/)
  expect(code).toBe(0)
})

async function buyUntilKilled(call: ApiCaller, buyer: number, all: Acknowledged): Promise<void> {
  for (;;) {
    try {
      const key = randomUUID()
      const made = await call<{ number: number }>(
        'POST',
        '/orders',
        { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true },
        { 'idempotency-key': key },
      )
      all.orders.set(made.number, { key, buyer })
    } catch (error) {
      if (isGone(error)) return
      throw error
    }
  }
}

async function approveUntilKilled(call: ApiCaller, all: Acknowledged): Promise<void> {
  for (;;) {
    try {
      const waiting = [...all.orders.keys()].filter((number) => !all.approved.has(number))
      const number = waiting[randomInt(Math.max(1, waiting.length))]
      if (number === undefined) await delay(10)
      else {
        await call('POST', `/operator/orders/${number}/approve`, {})
        all.approved.add(number)
      }
    } catch (error) {
      if (isGone(error)) return
      throw error
    }
  }
}

/** The connection broke: the answer, whatever it was, never came. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && /\b503\b|terminated/.test(error.message))
}

async function expectAllThere(url: string, tokens: string[], all: Acknowledged): Promise<void> {
  for (const [buyer, token] of tokens.entries()) {
    const rows = await ordersOf(apiOf(url, token))
    const byNumber = new Map(rows.map((row) => [row.number, row]))
    expect(byNumber.size).toBe(rows.length)
    for (const [number, order] of all.orders) {
      if (order.buyer !== buyer) continue
      const row = byNumber.get(number)
      expect(row, `order ${number} was acknowledged`).toBeDefined()
      if (all.approved.has(number)) expect(row?.status, `order ${number} was approved`).toBe('approved')
    }
  }
}

async function ordersOf(call: ApiCaller): Promise<OrderRow[]> {
  const rows: OrderRow[] = []
  let after: string | null = null
  do {
    const query: string = after ? `&after=${encodeURIComponent(after)}` : ''
    const page: { items: OrderRow[]; next: string | null } = await call('GET', `/orders?limit=100${query}`)
    rows.push(...page.items)
    after = page.next
  } while (after)
  return rows
}
