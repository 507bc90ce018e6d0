import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import {
  isPublicAddress,
  publicAddressOf,
  type Resolve,
  reasonAgainstUrl,
  resolveHost,
} from './public-address.ts'

export { hostOf, isOutside, reasonAgainstNamed, splitCredentials, voiceOf } from './named-address.ts'
export { plaintextFaults } from './plaintext-hosts.ts'
export { reasonAgainstUrl } from './public-address.ts'

// Rules: TEXT-14
/** For tests; unset in production. */
export interface Outside {
  readonly resolve?: Resolve
  readonly isPublic?: (address: string) => boolean
  readonly ca?: string
}

/** Throws unless all addresses of the host are public. */
export async function publicAddressByName(
  host: string,
  { resolve = resolveHost, isPublic = isPublicAddress }: Outside = {},
): Promise<string> {
  return (await publicAddressOf(host, resolve, isPublic)).address
}

const TIME_MAX_MS = 15_000
const RESPONSE_BYTES_MAX = 4_096

/**
 * For an address that somebody else named: TLS to the checked IP address, without another DNS query or a
 * reused connection. Throws the reason if forbidden.
 */
export async function connectionTo(
  url: string,
  { resolve = resolveHost, isPublic = isPublicAddress, ca }: Outside = {},
): Promise<RequestOptions> {
  const reason = reasonAgainstUrl(url)
  if (reason) throw new Error(reason)
  const checked = await publicAddressOf(new URL(url).hostname, resolve, isPublic)
  return {
    ca,
    agent: false,
    lookup: (_hostname, options, callback) => {
      // With `all` the socket layer expects a list.
      if (options.all) callback(null, [checked])
      else callback(null, checked.address, checked.family)
    },
  }
}

// Rules: SETTLE-26
export interface Asked {
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

/** `Response` forbids a body for these. */
const EMPTY = new Set([204, 205, 304])

/**
 * `fetch` for an address from a page: public internet only (`connectionTo`), no redirects, at most `bytesMax`
 * read.
 */
export async function publicFetch(
  url: string,
  asked: Asked,
  bytesMax: number,
  outside?: Outside,
): Promise<Response> {
  const connection = await connectionTo(url, outside)
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      { ...connection, method: asked.method ?? 'GET', headers: asked.headers, signal: asked.signal },
      (response) => {
        const status = response.statusCode ?? 0
        if (status < 200 || (status >= 300 && status < 400 && status !== 304)) {
          response.destroy()
          return reject(new Error(`HTTP ${status}: redirects are not followed`))
        }
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > bytesMax) response.destroy(new Error('the answer is too long'))
          else parts.push(part)
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve(new Response(EMPTY.has(status) ? null : Buffer.concat(parts), { status })),
        )
      },
    )
    request.on('error', reject)
    request.end(asked.body)
  })
}

/**
 * To an address that somebody else named. Follows no redirect and reads only the stored part of the response.
 */
export async function postOutside(
  url: string,
  body: string | Buffer,
  headers: IncomingHttpHeaders,
  outside?: Outside,
  read: (response: IncomingMessage) => Promise<string> = readStart,
): Promise<{ status: number; text: string }> {
  const connection = await connectionTo(url, outside)
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return post(new URL(url), body, { ...connection, headers: { ...headers, ...length } }, read)
}

export async function readNothing(response: IncomingMessage): Promise<string> {
  response.destroy()
  return ''
}

function post(
  url: URL,
  body: string | Buffer,
  options: RequestOptions,
  read: (response: IncomingMessage) => Promise<string>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIME_MAX_MS)
    const request = httpsRequest(url, { ...options, method: 'POST', signal }, (response) => {
      read(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    request.on('error', reject)
    request.end(body)
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
  // PostgreSQL's jsonb cannot store NUL.
  return Buffer.concat(parts)
    .subarray(0, RESPONSE_BYTES_MAX)
    .toString('utf8')
    .replaceAll('\u0000', '')
    .slice(0, 1_000)
}

/** Throws while reading a longer response, before it fills the memory. */
export const shortAnswer = async (response: Response, bytesMax: number): Promise<string> =>
  (await shortBody(response, bytesMax)).toString('utf8')

export async function shortBody(response: Response, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > bytesMax) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export function reasonOfFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `no answer within ${TIME_MAX_MS / 1_000} s`
  const code = 'code' in error ? String(error.code) : ''
  return (code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message).slice(0, 300)
}
