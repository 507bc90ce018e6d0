import { request as httpsRequest } from 'node:https'
import type { Outside } from '../post-outside.ts'
import { isPublicAddress, publicAddressOf, reasonAgainstUrl, resolveHost } from '../public-address.ts'

export interface Asked {
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Answers without a body, which `Response` must not be given one for. */
const EMPTY = new Set([204, 205, 304])

/**
 * As `fetch`, to the public internet alone: over TLS, to the very address that was checked (the name is not asked again), with no
 * redirect followed and at most `bytesMax` read. For an address that somebody wrote into a page.
 */
export async function publicFetch(
  url: string,
  asked: Asked,
  bytesMax: number,
  outside: Outside = {},
): Promise<Response> {
  const reason = reasonAgainstUrl(url)
  if (reason) throw new Error(reason)
  const target = new URL(url)
  const resolved = await publicAddressOf(
    target.hostname,
    outside.resolve ?? resolveHost,
    outside.isPublic ?? isPublicAddress,
  )
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      target,
      {
        method: asked.method ?? 'GET',
        headers: asked.headers,
        signal: asked.signal,
        ca: outside.ca,
        // A connection to an address that was checked earlier is never used again.
        agent: false,
        lookup: (_hostname, options, callback) => {
          // With `all` the socket layer takes a list; the answer is the checked address either way.
          if (options.all) callback(null, [resolved])
          else callback(null, resolved.address, resolved.family)
        },
      },
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
