// Buyers arrive independently: each looks, orders, watches the order's page, pays and reports it.
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { tokenOf } from './fill.ts'

/** An order's page stays open for so long. */
export const PAGE_OPEN_MS = 60_000
export const STEPS = ['page', 'figures', 'currencies', 'order', 'sent'] as const
export type Step = (typeof STEPS)[number]

export interface Asked {
  readonly token: string
  readonly address: string
  readonly cryptoAmount: string
}

/** A buyer's address, as named by a trusted proxy. */
const networkOf = (buyer: number): string => `10.${(buyer >> 16) & 255}.${(buyer >> 8) & 255}.${buyer & 255}`

export class Buyers {
  /** Times by step. A page's time starts when its buyer was due. */
  readonly taken: Record<Step, number[]> = { page: [], figures: [], currencies: [], order: [], sent: [] }
  /** Delays of this process in starting each buyer. */
  readonly late: number[] = []
  /** Counts by step and status; `lost`: without an answer. */
  readonly answers = new Map<string, number>()
  openStreams = 0
  mostStreams = 0
  lostStreams = 0
  readonly #port: number
  readonly #currency: string
  readonly #pay: (order: Asked) => void
  readonly #agent = new Agent({ keepAlive: true })
  readonly #streams = new Set<Socket>()

  constructor(port: number, currency: string, pay: (order: Asked) => void) {
    this.#port = port
    this.#currency = currency
    this.#pay = pay
  }

  /**
   * A Poisson process of `perSecond` for `seconds`. Returns the number of visits. `chance` returns 0 to 1.
   */
  async come(first: number, perSecond: number, seconds: number, chance: () => number): Promise<number> {
    const startedAt = performance.now()
    const visits: Promise<void>[] = []
    for (let dueAt = startedAt; ; ) {
      dueAt += (-Math.log(1 - chance()) / perSecond) * 1_000
      if (dueAt > startedAt + seconds * 1_000) break
      const early = dueAt - performance.now()
      if (early > 1) await delay(early)
      this.late.push(Math.max(0, performance.now() - dueAt))
      visits.push(this.#visit(first + visits.length, dueAt))
    }
    await Promise.all(visits)
    return visits.length
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy()
    this.#agent.destroy()
  }

  async #visit(buyer: number, dueAt: number): Promise<void> {
    try {
      await this.#ask('page', buyer, '/', undefined, dueAt)
      await this.#ask('figures', buyer, '/api/v1/campaign')
      await this.#ask('currencies', buyer, '/api/v1/currencies')
      const wanted = { currency: this.#currency, amount: '40', unit: 'token' }
      const asked = { ...wanted, acceptTerms: true, ageConfirmed: true }
      const order = JSON.parse(await this.#ask('order', buyer, '/api/v1/orders', asked)) as Asked
      this.#watch(buyer)
      this.#pay(order)
      await this.#ask('sent', buyer, `/api/v1/orders/${order.token}/sent`, {})
    } catch {
      // The error is already counted.
    }
  }

  /** Asks; throws unless the answer is 200 or 201. */
  #ask(step: Step, buyer: number, path: string, body?: object, since = performance.now()): Promise<string> {
    const text = body && JSON.stringify(body)
    const headers = {
      'x-forwarded-for': networkOf(buyer),
      ...(step !== 'page' && { authorization: `Bearer ${tokenOf(buyer)}` }),
      ...(text && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'idempotency-key': `load-day-${step}-${buyer}`,
      }),
    }
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, path, headers }
    return new Promise((resolve, reject) => {
      const fail = (answer: string | number | undefined) => {
        this.#note(`${step} ${answer}`)
        reject(new Error(`${step} ${answer}`))
      }
      const sent = request({ ...options, method: text ? 'POST' : 'GET' }, (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('error', () => fail('lost'))
        reply.on('end', () => {
          const status = reply.statusCode ?? 0
          if (status >= 300) return fail(status)
          this.#note(`${step} ${status}`)
          this.taken[step].push(performance.now() - since)
          resolve(Buffer.concat(parts).toString())
        })
      })
      sent.on('error', () => fail('lost'))
      sent.end(text)
    })
  }

  /** For a minute. */
  #watch(buyer: number): void {
    const stream = connect(this.#port, '127.0.0.1')
    let isEnding = false
    this.#streams.add(stream)
    this.openStreams += 1
    this.mostStreams = Math.max(this.mostStreams, this.openStreams)
    const end = setTimeout(() => {
      isEnding = true
      stream.destroy()
    }, PAGE_OPEN_MS)
    let isAnswered = false
    stream.on('data', (part: Buffer) => {
      if (isAnswered) return
      isAnswered = true
      this.#note(`stream ${part.toString('latin1', 9, 12)}`)
    })
    stream.on('error', () => undefined)
    stream.on('close', () => {
      clearTimeout(end)
      this.#streams.delete(stream)
      this.openStreams -= 1
      if (!isEnding) this.lostStreams += 1
    })
    stream.write(
      `GET /api/v1/live?campaign=1 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${tokenOf(buyer)}\r\nX-Forwarded-For: ${networkOf(buyer)}\r\n\r\n`,
    )
  }

  #note(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }
}
