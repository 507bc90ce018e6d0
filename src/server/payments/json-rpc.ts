import { publicFetch, splitCredentials } from '../outside/outside.ts'
import { RetryableError } from '../refusal.ts'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The call is wrong, or its object does not exist. */
export class RpcError extends Error {
  readonly code: number

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`)
    this.name = 'RpcError'
    this.code = code
  }
}

interface Answer {
  id: number
  result?: unknown
  error?: { code: number; message: string } | null
}

export interface NodeReach {
  /** For a node set on a page: only the public internet is allowed (`publicFetch`). */
  readonly publicOnly?: boolean
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const BATCH_MAX = 100
/** A longer answer means a broken or hostile node. */
const ANSWER_MAX_BYTES = 256 * 1024 * 1024

/** Over HTTP, with optional credentials in the URL. An unreachable node throws `RetryableError`. */
export class JsonRpc {
  readonly #endpoint: string
  readonly #headers: Record<string, string>

  readonly #reach: NodeReach

  constructor(url: string, reach: NodeReach = {}) {
    const { endpoint, headers } = splitCredentials(url)
    this.#endpoint = endpoint
    this.#headers = headers
    this.#reach = reach
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const answer = await this.#post({ jsonrpc: '2.0', id: 1, method, params })
    return orThrow(resultOf<T>(method, isAnswer(answer) ? answer : undefined))
  }

  /** In few requests; answers in order. Throws the node's first error. */
  async batch<T>(calls: readonly RpcCall[]): Promise<T[]> {
    return (await this.batchEach<T>(calls)).map(orThrow)
  }

  /** As `batch`, with errors as answers. */
  async batchEach<T>(calls: readonly RpcCall[]): Promise<(T | RpcError)[]> {
    const results: (T | RpcError)[] = []
    for (let start = 0; start < calls.length; start += BATCH_MAX) {
      const part = calls.slice(start, start + BATCH_MAX)
      const answers = await this.#post(part.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
      if (!Array.isArray(answers)) throw new RetryableError(new Error('the node does not take batches'))
      const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]))
      results.push(...part.map((call, id) => resultOf<T>(call.method, byId.get(id))))
    }
    return results
  }

  async #post(body: unknown): Promise<unknown> {
    let response: Response
    let text: string
    try {
      response = await fetchNode(
        this.#endpoint,
        {
          method: 'POST',
          headers: { ...this.#headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        this.#reach,
      )
      text = await response.text()
    } catch (error) {
      throw new RetryableError(reasonOf(error))
    }
    // Core's RPC errors have status 500 and a JSON body.
    if (!text.startsWith('{') && !text.startsWith('['))
      throw new RetryableError(new Error(`the node answered HTTP ${response.status}`))
    try {
      return JSON.parse(text)
    } catch {
      throw new RetryableError(new Error('the node answered something that is not JSON'))
    }
  }
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function orThrow<T>(result: T | RpcError): T {
  if (result instanceof RpcError) throw result
  return result
}

function resultOf<T>(method: string, answer: Answer | undefined): T | RpcError {
  if (answer === undefined) throw new RetryableError(new Error(`${method}: no answer`))
  if (answer.error) return new RpcError(method, answer.error.code, answer.error.message)
  return answer.result as T
}

/** Within the node's reach, without redirects and with a size limit. */
export async function fetchNode(
  url: string,
  asked: { method?: string; headers: Record<string, string>; body?: string },
  { publicOnly, timeoutMs = TIMEOUT_MS }: NodeReach,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  if (publicOnly) return publicFetch(url, { ...asked, signal }, ANSWER_MAX_BYTES)
  const response = await fetch(url, { ...asked, signal, redirect: 'error' })
  if (Number(response.headers.get('content-length') ?? 0) > ANSWER_MAX_BYTES)
    throw new Error('the answer is too long')
  return response
}

/** fetch hides the reason behind "fetch failed". Never contains the URL, whose path may be a secret. */
export function reasonOf(error: unknown): Error {
  const cause =
    error instanceof Error ? (error.cause as { code?: string; message?: string } | undefined) : undefined
  return new Error(cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error)))
}
