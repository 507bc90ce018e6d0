import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import {
  isPublicAddress,
  publicAddressOf,
  type Resolve,
  reasonAgainstUrl,
  resolveHost,
} from './public-address.ts'

/** What a test may put in the place of the outside world; production has none of it. */
export interface Outside {
  readonly resolve?: Resolve
  readonly isPublic?: (address: string) => boolean
  /** A certificate authority of the test's own. */
  readonly ca?: string
}

export interface Message {
  readonly id: string
  readonly body: string
}

export interface Attempt {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly response: string | null
}

const TIME_MAX_MS = 15_000
const RESPONSE_BYTES_MAX = 4_096
const SECRET_PREFIX = 'whsec_'

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** Standard Webhooks, symmetric: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`. */
export function signMessage(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/**
 * Sends a message once. Connects to the very address that was checked (the name is not asked again), follows no redirect, and
 * reads no more of the answer than is kept. Never throws: what went wrong is the attempt's `error`.
 */
export async function sendMessage(
  url: string,
  message: Message,
  secrets: readonly string[],
  outside: Outside = {},
): Promise<Attempt> {
  const started = Date.now()
  const done = (result: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
    at: new Date(started).toISOString(),
    durationMs: Date.now() - started,
    ...result,
  })
  try {
    const reason = reasonAgainstUrl(url)
    if (reason) throw new Error(reason)
    const target = new URL(url)
    const resolved = await publicAddressOf(
      target.hostname,
      outside.resolve ?? resolveHost,
      outside.isPublic ?? isPublicAddress,
    )
    const timestamp = Math.floor(started / 1_000)
    const response = await post(target, message, {
      lookup: (_hostname, options, callback) => {
        // With `all` the socket layer takes a list; the answer is the checked address either way.
        if (options.all) callback(null, [resolved])
        else callback(null, resolved.address, resolved.family)
      },
      ca: outside.ca,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'presale-webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(timestamp),
        ...(secrets.length > 0 && {
          'webhook-signature': secrets
            .map((secret) => signMessage(secret, message.id, timestamp, message.body))
            .join(' '),
        }),
      },
    })
    const isTaken = response.status >= 200 && response.status < 300
    return done({
      status: response.status,
      error: isTaken
        ? null
        : response.status >= 300 && response.status < 400
          ? 'redirects are not followed'
          : `answered ${response.status}`,
      response: response.text,
    })
  } catch (error) {
    return done({ status: null, error: reasonOf(error), response: null })
  }
}

function post(
  url: URL,
  message: Message,
  options: RequestOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIME_MAX_MS)
    // An agent of its own for each message: a connection to an address that was checked earlier is never used again.
    const request = httpsRequest(url, { ...options, method: 'POST', agent: false, signal }, (response) => {
      readStart(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    request.on('error', reject)
    request.end(message.body)
  })
}

async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size >= RESPONSE_BYTES_MAX) break
  }
  response.destroy()
  // PostgreSQL's jsonb has no NUL.
  return Buffer.concat(parts)
    .subarray(0, RESPONSE_BYTES_MAX)
    .toString('utf8')
    .replaceAll('\u0000', '')
    .slice(0, 1_000)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `no answer within ${TIME_MAX_MS / 1_000} s`
  const code = 'code' in error ? String(error.code) : ''
  return (code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message).slice(0, 300)
}
