import { type ErrorBody, idempotentRoutes, type Routes } from './routes.ts'

export type * from './routes.ts'

/** A route by method and path: `POST /orders`. */
export type RouteName = keyof Routes
export type ReplyOf<N extends RouteName> = Routes[N]['reply']
export type ErrorCode = ErrorBody['error']['code']

export interface PresaleOptions {
  /** The sale's address: `https://sale.example`. */
  readonly url: string
  /** An API key, a session token, or a function that returns one. Left out: a visitor. */
  readonly token?: string | (() => string | Promise<string>)
  /** How often a repeatable call is retried; 4 by default. */
  readonly retries?: number
  /** Per attempt; 30 s by default. */
  readonly timeoutMs?: number
  /** The language (BCP 47) of error messages; codes are the same in all. */
  readonly language?: string
  readonly fetch?: typeof fetch
}

interface Extras {
  /** For a route that accepts one. Left out: generated per call and shared by its retries. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type Given<N extends RouteName> = Omit<Routes[N], 'reply'> & Extras
type GivenOf<N extends RouteName> = object extends Given<N> ? [given?: Given<N>] : [given: Given<N>]

interface Loose extends Extras {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The sale rejected the call, with a stable code. */
export class PresaleRefusal extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly issues: readonly { readonly path: string; readonly code: string; readonly message: string }[]
  readonly requestId: string

  constructor(status: number, { error }: ErrorBody) {
    super(error.message)
    this.name = 'PresaleRefusal'
    this.status = status
    this.code = error.code
    this.details = error.details ?? {}
    this.issues = error.issues ?? []
    this.requestId = error.requestId
  }
}

/** No valid answer arrived, so the call may or may not have had its effect. Repeat it with the same key. */
export class PresaleUnreachable extends Error {
  readonly status: number | undefined
  /** The call's key, if its route accepts one. */
  readonly idempotencyKey: string | undefined

  constructor(status: number | undefined, idempotencyKey: string | undefined, cause?: unknown) {
    super(status === undefined ? 'No answer came' : `An answer ${status} that is not the sale’s`, { cause })
    this.name = 'PresaleUnreachable'
    this.status = status
    this.idempotencyKey = idempotencyKey
  }
}

const WAIT_MAX_MS = 30_000
const BROKEN_ON_THE_WAY = [502, 503, 504]

/** A client of a sale. Uses only browser APIs. */
export class Presale {
  readonly #options: PresaleOptions
  readonly #fetch: typeof fetch

  constructor(options: PresaleOptions) {
    this.#options = options
    // A browser's fetch must be called as a function of its window.
    this.#fetch = options.fetch ?? ((...given) => fetch(...given))
  }

  /**
   * Retries reads and calls with an idempotency key if no answer arrives, and others after the wait the
   * server asked for. Throws `PresaleRefusal` or `PresaleUnreachable`.
   */
  async call<N extends RouteName>(route: N, ...[given]: GivenOf<N>): Promise<ReplyOf<N>> {
    const { signal, ...loose } = (given ?? {}) as Loose
    const isIdempotent = idempotentRoutes.has(route)
    const key = isIdempotent ? (loose.idempotencyKey ?? crypto.randomUUID()) : undefined
    const mayRepeat = isIdempotent || route.startsWith('GET ')
    for (let attempt = 0; ; attempt += 1) {
      try {
        return (await this.#send(route, loose, key, signal)) as ReplyOf<N>
      } catch (error) {
        signal?.throwIfAborted()
        if (attempt >= (this.#options.retries ?? 4) || !isPassing(error, mayRepeat)) throw error
        await pause(waitOf(error, attempt), signal)
      }
    }
  }

  async #send(route: string, given: Loose, key: string | undefined, signal?: AbortSignal): Promise<unknown> {
    const [method = '', path = ''] = route.split(' ')
    const headers = new Headers({ accept: 'application/json', 'x-language': this.#options.language ?? 'en' })
    const { token } = this.#options
    if (token !== undefined)
      headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`)
    if (given.body !== undefined) headers.set('content-type', 'application/json')
    if (key !== undefined) headers.set('idempotency-key', key)
    const limit = AbortSignal.timeout(this.#options.timeoutMs ?? 30_000)
    const response = await this.#fetch(addressOf(this.#options.url, path, given), {
      method,
      headers,
      body: given.body === undefined ? null : JSON.stringify(given.body),
      credentials: 'omit',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    }).catch((cause: unknown) => {
      throw new PresaleUnreachable(undefined, key, cause)
    })
    if (response.status === 204) return undefined
    const reply: unknown = await response.json().catch((cause: unknown) => {
      throw new PresaleUnreachable(response.status, key, cause)
    })
    if (response.ok) return reply
    throw isErrorBody(reply)
      ? new PresaleRefusal(response.status, reply)
      : new PresaleUnreachable(response.status, key)
  }
}

function addressOf(url: string, path: string, { path: parts = {}, query = {} }: Loose): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts[name] ?? '')),
  )
  const address = new URL(`/api/v1${filled}`, url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value))
  return address
}

function isErrorBody(reply: unknown): reply is ErrorBody {
  return typeof (reply as Partial<ErrorBody> | null)?.error?.code === 'string'
}

function isPassing(error: unknown, mayRepeat: boolean): boolean {
  if (error instanceof PresaleRefusal) {
    // Rejected before it had any effect.
    if (error.status === 429) return true
    return mayRepeat && (error.status === 503 || error.code === 'idempotency_in_progress')
  }
  if (!mayRepeat || !(error instanceof PresaleUnreachable)) return false
  return error.status === undefined || error.status < 300 || BROKEN_ON_THE_WAY.includes(error.status)
}

/** The wait before a retry: as the sale asks, else increasing, with a random part. */
function waitOf(error: unknown, attempt: number): number {
  const told = error instanceof PresaleRefusal ? error.details['retryAfterSeconds'] : undefined
  if (typeof told === 'number') return Math.min(told * 1_000, WAIT_MAX_MS)
  return Math.min(250 * 2 ** attempt, WAIT_MAX_MS) * (0.5 + Math.random() / 2)
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
