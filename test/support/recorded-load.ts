import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/server/database/database.ts'
import { type ApiCaller, ApiFailure, apiOf } from './api.ts'
import { statement } from './statement.ts'

/** A request without an answer or with 503: it may have taken effect, and is repeated with its key. */
type Unanswered =
  | { kind: 'order'; token: string; key: string; currency: string }
  | { kind: 'approval'; number: number }

/** Acknowledgements, out of reach of the server's kills. */
export interface Load {
  /** Acknowledged order numbers with their keys. */
  readonly orders: Map<number, string>
  readonly approved: Set<number>
  readonly unanswered: Unanswered[]
}

export interface MadeOrder {
  readonly number: number
  readonly address: string
}

export const noLoad = (): Load => ({ orders: new Map(), approved: new Set(), unanswered: [] })

/** True for a broken connection or 503; other errors are bugs. */
function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError
}

const order = (call: ApiCaller, currency: string, key: string) =>
  call<MadeOrder>(
    'POST',
    '/orders',
    { currency, amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true },
    { 'idempotency-key': key },
  )

/** Orders 40 tokens each, until the server is gone or the load ends; awaits `made` after each. */
export async function buyUntilLost(
  url: string,
  token: string,
  load: Load,
  {
    currency = 'USDT',
    made,
    signal,
  }: { currency?: string; made?: (order: MadeOrder) => Promise<unknown>; signal?: AbortSignal } = {},
): Promise<void> {
  const call = apiOf(url, token)
  while (!signal?.aborted) {
    const key = randomUUID()
    let acknowledged: MadeOrder
    try {
      acknowledged = await order(call, currency, key)
    } catch (error) {
      if (!mayHaveHappened(error)) throw error
      load.unanswered.push({ kind: 'order', token, key, currency })
      return
    }
    load.orders.set(acknowledged.number, key)
    await made?.(acknowledged)
  }
}

export async function approveUntilLost(
  url: string,
  token: string,
  load: Load,
  signal?: AbortSignal,
): Promise<void> {
  const call = apiOf(url, token)
  while (!signal?.aborted) {
    const number = [...load.orders.keys()].find((made) => !load.approved.has(made))
    try {
      if (number === undefined) await call('GET', '/operator/orders?limit=1')
      else {
        await call('POST', `/operator/orders/${number}/approve`, {})
        load.approved.add(number)
      }
    } catch (error) {
      if (!mayHaveHappened(error)) throw error
      if (number !== undefined) load.unanswered.push({ kind: 'approval', number })
      return
    }
  }
}

/** Tries again: a kept-alive connection to a killed server breaks on its next use. */
export async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (!mayHaveHappened(error) || attempt === 10) throw error
      await delay(50)
    }
  }
}

/** Repeats requests; the result is the same whether or not they had taken effect. */
export async function repeatUnanswered(url: string, operator: string, load: Load): Promise<void> {
  for (const request of load.unanswered.splice(0)) {
    if (request.kind === 'approval') {
      await untilAnswered(() =>
        apiOf(url, operator)('POST', `/operator/orders/${request.number}/approve`, {}),
      )
      load.approved.add(request.number)
    } else {
      const call = apiOf(url, request.token)
      const send = () => untilAnswered(() => order(call, request.currency, request.key))
      const { number } = await send()
      if ((await send()).number !== number) throw new Error(`the key of order ${number} made two`)
      load.orders.set(number, request.key)
    }
  }
}

/** Waits for the server and its database. */
export async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 180_000
  for (;;) {
    const status = await untilAnswered(async () => {
      const reply = await fetch(`${url}/readyz`)
      await reply.arrayBuffer()
      return reply.status
    })
    if (status === 200) return
    if (status !== 503) throw new Error(`/readyz answers ${status}`)
    if (Date.now() > deadline) throw new Error('the database did not come back')
    await delay(50)
  }
}

const STANDING = statement(
  'load_orders',
  `select o.id, o.idempotency_key as key, o.status,
          (select count(*) from postings p where p.order_id = o.id and p.kind = 'order_approved')::integer as postings
     from orders o order by o.id`,
)

/** Differences to the acknowledgements: each order and approval once, and no others. */
export async function faultsOf(databaseUrl: string, loads: readonly Load[]): Promise<string[]> {
  const db = openDatabase({ url: databaseUrl, poolSizeMax: 1 })
  try {
    const rows = await db.query<{ id: string; key: string; status: string; postings: number }>(STANDING)
    const orders = new Map(loads.flatMap((load) => [...load.orders]))
    const approved = new Set(loads.flatMap((load) => [...load.approved]))
    const standing = new Set(rows.map(({ id }) => Number(id)))
    const lost = [...orders.keys()].filter((number) => !standing.has(number))
    return [
      ...lost.map((number) => `order ${number} is lost`),
      ...rows.flatMap(({ id, key, status, postings }) => {
        const number = Number(id)
        const due = approved.has(number) ? 1 : 0
        const faults = []
        if (orders.get(number) !== key) faults.push(`order ${id} was not asked for by the key ${key}`)
        if (postings !== due) faults.push(`order ${id} is credited ${postings} times instead of ${due}`)
        if ((status === 'approved') !== (due === 1)) faults.push(`order ${id} is ${status}`)
        return faults
      }),
    ]
  } finally {
    await db.close()
  }
}
