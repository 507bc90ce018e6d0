import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Cluster } from '../../deploy/cluster/cluster.ts'
import { bearer, operatorToken, password, registerToken } from './api.ts'
import { patienceMs, slowness } from './patience.ts'

export { password }

const BUYERS = 6
/** Retries like an impatient page. */
const RETRY_MS = 300
const READ_EVERY_MS = 100
const ANSWER_MAX_MS = 15_000

/** `pay` ends once the node has accepted the payment. */
export interface Payer {
  readonly currency: string
  readonly everyMs: number
  pay(address: string): Promise<void>
}

interface Ordered {
  readonly token: string
  readonly number: number
  readonly address: string
}

export interface Told {
  readonly what: string
  /** Seconds without an acknowledged order. */
  readonly gapSeconds: number
  /** Seconds without an answer for a figure or a page. */
  readonly readGapSeconds: number
  /** Figures or pages answered during `gapSeconds`. */
  readonly readsInGap: number
  readonly acknowledged: number
}

/**
 * A load of steady buyers, an approving operator and readers; records acknowledgements. Requests without an
 * answer or with 503 are repeated with their key.
 */
export class FailoverLoad {
  readonly #cluster: Cluster
  readonly #rate: number
  readonly #ending = new AbortController()
  /** Acknowledged orders by idempotency key. */
  readonly #orders = new Map<string, Ordered>()
  readonly #approved = new Set<number>()
  /** When orders were approved, by the wall clock. */
  readonly #approvedAt = new Map<number, number>()
  readonly #paid = new Set<number>()
  readonly #acknowledgedAt: number[] = []
  readonly #readAt: number[] = []
  readonly #pagesAt: number[] = []
  /** Counts answers other than 200, and broken connections. */
  readonly #others = new Map<string, number>()
  #buyers: string[] = []
  #operator = ''
  #running: Promise<unknown>[] = []

  readonly #payer: Payer | undefined

  constructor(cluster: Cluster, ordersASecond: number, payer?: Payer) {
    this.#cluster = cluster
    this.#rate = ordersASecond
    this.#payer = payer
  }

  get acknowledged(): number {
    return this.#orders.size
  }

  get approved(): number {
    return this.#approvedAt.size
  }

  get approvedAt(): ReadonlyMap<number, number> {
    return this.#approvedAt
  }

  /** Counts orders whose payment a node accepted. */
  get paid(): number {
    return this.#paid.size
  }

  /** Answers besides 200 and 503. */
  get otherAnswers(): Record<string, number> {
    return Object.fromEntries([...this.#others].filter(([answer]) => !answer.startsWith('503')))
  }

  get unavailable(): Record<string, number> {
    return Object.fromEntries([...this.#others].filter(([answer]) => answer.startsWith('503')))
  }

  async start(): Promise<void> {
    const { siteUrl } = this.#cluster
    this.#buyers = await Promise.all(Array.from({ length: BUYERS }, () => registerToken(siteUrl)))
    this.#operator = await operatorToken(siteUrl, 'owner')
    this.#running = [
      this.#buy(),
      this.#approve(),
      ...(this.#payer ? [this.#payInto(this.#payer)] : []),
      this.#read('/api/v1/campaign', this.#readAt),
      this.#read('/', this.#pagesAt),
    ]
    await delay(1_000)
  }

  /** Waits until orders have flowed for two seconds after `event`. */
  async during(what: string, event: () => Promise<void>): Promise<Told> {
    const from = performance.now()
    const before = this.#orders.size
    await event()
    // A killed process may still answer.
    await delay(3_000)
    await this.#untilFlowing()
    const [gapSeconds, readGap, pageGap] = [this.#acknowledgedAt, this.#readAt, this.#pagesAt].map((times) =>
      longestGap(times, from),
    ) as [number, number, number]
    const readGapSeconds = Math.max(readGap, pageGap)
    const times = [from, ...this.#acknowledgedAt.filter((at) => at >= from)]
    const gapEnd =
      times.find((at, index) => at - (times[index - 1] ?? at) >= gapSeconds * 1_000) ?? performance.now()
    const isInGap = (at: number) => at < gapEnd && at > gapEnd - gapSeconds * 1_000
    const readsInGap = Math.min(
      ...[this.#readAt, this.#pagesAt].map((answered) => answered.filter(isInGap).length),
    )
    return { what, gapSeconds, readGapSeconds, readsInGap, acknowledged: this.#orders.size - before }
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#running)
  }

  /** Differences between the acknowledgements and one node's database. */
  async faults(databaseUrl: string): Promise<string[]> {
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      const { rows } = await client.query<{
        key: string
        id: string
        token: string
        status: string
        postings: number
      }>(
        `select o.idempotency_key as key, o.id, o.token, o.status,
                (select count(*) from postings p where p.order_id = o.id and p.kind = 'order_approved')::integer as postings
           from orders o where o.idempotency_key is not null`,
      )
      return this.#compare(rows)
    } finally {
      await client.end()
    }
  }

  #compare(
    rows: readonly { key: string; id: string; token: string; status: string; postings: number }[],
  ): string[] {
    const standing = Map.groupBy(rows, ({ key }) => key)
    return [...this.#orders].flatMap(([key, { token, number }]) => {
      const [row, ...more] = standing.get(key) ?? []
      if (!row) return [`order ${number} is lost`]
      const faults = more.map(({ id }) => `order ${number} was made again as ${id}`)
      if (row.token !== token) faults.push(`order ${number} has another token than was answered`)
      if (this.#approved.has(number) && row.status !== 'approved')
        faults.push(`the approval of ${number} is lost`)
      if (row.postings !== (row.status === 'approved' ? 1 : 0))
        faults.push(`order ${number} is credited ${row.postings} times`)
      return faults
    })
  }

  /** Orders at a fixed rate, independently of earlier orders. */
  async #buy(): Promise<void> {
    const { signal } = this.#ending
    const orders: Promise<unknown>[] = []
    for (let count = 0; !signal.aborted; count += 1) {
      orders.push(this.#order(this.#buyers[count % BUYERS] ?? ''))
      await pause(1_000 / this.#rate, signal)
    }
    await Promise.all(orders)
  }

  /** A payment accepted by a node must be credited once. */
  async #payInto({ currency, everyMs, pay }: Payer): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const order = await this.#order(this.#buyers[0] ?? '', currency)
      if (order) {
        await pay(order.address)
        this.#paid.add(order.number)
      }
      await pause(everyMs, this.#ending.signal)
    }
  }

  async #order(token: string, currency = 'USDT'): Promise<Ordered | undefined> {
    const key = randomUUID()
    const asked = { currency, amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }
    const order = await this.#untilAnswered<Ordered>('/orders', asked, token, key)
    if (!order) return undefined
    this.#acknowledgedAt.push(performance.now())
    // The chain approves the order.
    if (currency !== 'USDT') this.#approved.add(order.number)
    this.#orders.set(key, order)
    return order
  }

  async #approve(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const next = [...this.#orders.values()].find(({ number }) => !this.#approved.has(number))
      if (next) {
        const path = `/operator/orders/${next.number}/approve`
        if (await this.#untilAnswered(path, {}, this.#operator)) {
          this.#approved.add(next.number)
          this.#approvedAt.set(next.number, Date.now())
        }
      }
      await pause(250, this.#ending.signal)
    }
  }

  async #read(path: string, times: number[]): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const isOk = await fetch(this.#cluster.siteUrl + path, {
        signal: AbortSignal.timeout(2_000 * slowness),
      })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.ok
        })
        // Also catches a timeout during the body.
        .catch(() => false)
      if (isOk) times.push(performance.now())
      await pause(READ_EVERY_MS, this.#ending.signal)
    }
  }

  /** Undefined once the load ends. */
  async #untilAnswered<T>(path: string, body: unknown, token: string, key?: string): Promise<T | undefined> {
    const headers = {
      ...bearer(token),
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    }
    while (!this.#ending.signal.aborted) {
      try {
        const response = await fetch(`${this.#cluster.siteUrl}/api/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(ANSWER_MAX_MS),
        })
        const text = await response.text()
        if (response.ok) return JSON.parse(text || '{}') as T
        const hint =
          response.status === 503 && response.headers.get('retry-after') === null
            ? ' without Retry-After'
            : ''
        this.#note(`${response.status}${hint} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`)
        if (response.status < 500 && response.status !== 409 && response.status !== 429)
          throw new Error(`${path} was answered ${response.status}: ${text}`)
      } catch (error) {
        if (error instanceof Error && error.message.includes('was answered')) throw error
      }
      await pause(RETRY_MS, this.#ending.signal)
    }
    return undefined
  }

  #note(answer: string): void {
    this.#others.set(answer, (this.#others.get(answer) ?? 0) + 1)
  }

  async #untilFlowing(): Promise<void> {
    const deadline = Date.now() + 5 * patienceMs
    for (;;) {
      const since = performance.now() - 2_000
      const lately = this.#acknowledgedAt.filter((at) => at > since)
      if (lately.length >= this.#rate && longestGap(lately, since) < 1) return
      if (Date.now() > deadline) throw new Error('orders did not flow again')
      await delay(100)
    }
  }
}

/** The longest gap after `from`, in seconds. */
function longestGap(times: readonly number[], from: number): number {
  const after = times.filter((at) => at >= from)
  const gaps = [...after, performance.now()].map((at, index) => at - (after[index - 1] ?? from))
  return Math.max(...gaps) / 1_000
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
