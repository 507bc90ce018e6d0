import type { BodyIn, ErrorBody, ParamsOf, QueryIn, ReplyOf, Route } from '../shared/api/route.ts'
import type { ErrorCode } from '../shared/error-codes.ts'

export const apiPrefix = '/api/v1'

const answerMs = 10_000

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown>
  readonly issues: readonly { path: string; message: string }[]
  readonly requestId: string

  constructor(status: number, { error }: ErrorBody) {
    super(error.message)
    this.name = 'ApiError'
    this.code = error.code
    this.status = status
    this.details = error.details ?? {}
    this.issues = error.issues ?? []
    this.requestId = error.requestId
  }

  get retryAfterSeconds(): number | undefined {
    const seconds = this.details['retryAfterSeconds']
    return typeof seconds === 'number' ? seconds : undefined
  }
}

/** No answer arrived, so the request may have had its effect. */
export class NetworkError extends Error {
  readonly status: number | undefined

  constructor(status?: number, cause?: unknown) {
    super('network', { cause })
    this.name = 'NetworkError'
    this.status = status
  }
}

type Given<R extends Route> = ([ParamsOf<R>] extends [undefined] ? object : { params: ParamsOf<R> }) &
  ([QueryIn<R>] extends [undefined] ? object : { query?: QueryIn<R> }) &
  ([BodyIn<R>] extends [undefined] ? object : { body: BodyIn<R> }) & {
    /** For routes that create. A repeat with the same key returns the first answer. */
    idempotencyKey?: string
    signal?: AbortSignal
  }

export type CallOptions<R extends Route> = object extends Given<R> ? [given?: Given<R>] : [given: Given<R>]

export let shownAs: string | undefined

// Rules: RIGHT-13
/**
 * Later calls carry the account's reference; the server rejects them if another tab has signed in somebody
 * else.
 */
export function showAs(reference: string): void {
  shownAs = reference
}

interface Loose {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

export function apiUrl(
  route: Pick<Route, 'path'>,
  { params = {}, query = {} }: Pick<Loose, 'params' | 'query'> = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return apiPrefix + path + (text ? `?${text}` : '')
}

/**
 * Throws `ApiError` with the server's code, or `NetworkError` without an answer. A read times out after
 * `answerMs`, because a connection can hang silently; a change does not.
 */
export async function api<R extends Route>(route: R, ...[given]: CallOptions<R>): Promise<ReplyOf<R>> {
  const { params, query, body, idempotencyKey, signal } = (given ?? {}) as Loose
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-requested-with': 'presale',
    'x-language': document.documentElement.lang || 'en',
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  // A visitor's route works for anybody, so it needs no account reference.
  if (shownAs && route.audience !== 'visitor') headers['x-shown-as'] = shownAs
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const response = await fetch(apiUrl(route, { params, query }), {
    method: route.method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    // The browser's copy may be older than a change the reader just made.
    cache: 'no-cache',
    signal: route.method === 'GET' ? orLate(signal) : signal,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new NetworkError(undefined, cause)
  })
  if (response.status === 204) return undefined as ReplyOf<R>
  const reply = (await response.json().catch((cause: unknown) => {
    throw new NetworkError(response.status, cause)
  })) as unknown
  if (response.ok) return reply as ReplyOf<R>
  if (isErrorBody(reply)) throw new ApiError(response.status, reply)
  throw new NetworkError(response.status)
}

function orLate(signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(answerMs)
  return signal ? AbortSignal.any([signal, late]) : late
}

function isErrorBody(reply: unknown): reply is ErrorBody {
  const error = (reply as { error?: { code?: unknown } } | null)?.error
  return typeof error?.code === 'string'
}
