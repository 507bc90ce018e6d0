import type { BodyIn, ErrorBody, ParamsOf, QueryIn, ReplyOf, Route } from '../shared/api/route.ts'
import type { ErrorCode } from '../shared/error-codes.ts'

export const apiPrefix = '/api/v1'

/** How long a reading waits for its answer before it counts as lost. */
const answerMs = 10_000

/** The server refused, or broke, and said so in its error body. */
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

  /** How long to wait, where the server says so. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.details['retryAfterSeconds']
    return typeof seconds === 'number' ? seconds : undefined
  }
}

/** No answer came, or one that is not the API's: whether the request had its effect is not known. */
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
    /** For routes that create: repeats with the same key answer what the first one answered. */
    idempotencyKey?: string
    signal?: AbortSignal
  }

/** What a call of the route is given; nothing where the route takes nothing. */
export type CallOptions<R extends Route> = object extends Given<R> ? [given?: Given<R>] : [given: Given<R>]

/** Whom these pages show as signed in. */
export let shownAs: string | undefined

// Rules: RIGHT-13
/** From now on calls are made as this one alone, and refused where another tab has changed who is signed in. */
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

/** The address of a route, for links and downloads as well. */
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
 * Calls a route of `src/shared/api` with the session's cookie. Throws `ApiError` with the refusal's code, or
 * `NetworkError` where no answer of the API came. A route without a reply gives undefined. A reading that nothing
 * answers is given up, since a connection may swallow a request without a word; a change is waited for.
 */
export async function api<R extends Route>(route: R, ...[given]: CallOptions<R>): Promise<ReplyOf<R>> {
  const { params, query, body, idempotencyKey, signal } = (given ?? {}) as Loose
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-requested-with': 'presale',
    'x-language': document.documentElement.lang || 'en',
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  // Who is signed in may be asked by anybody.
  if (shownAs && route.audience !== 'visitor') headers['x-shown-as'] = shownAs
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  const response = await fetch(apiUrl(route, { params, query }), {
    method: route.method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    // What the browser kept may be older than a change that the reader has just made or heard of.
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

/** Aborts when the caller does, or once an answer is no longer to be expected. */
function orLate(signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(answerMs)
  return signal ? AbortSignal.any([signal, late]) : late
}

function isErrorBody(reply: unknown): reply is ErrorBody {
  const error = (reply as { error?: { code?: unknown } } | null)?.error
  return typeof error?.code === 'string'
}
