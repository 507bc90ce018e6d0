import { request as httpsRequest } from 'node:https'
import { connectionTo, type Outside } from './post-outside.ts'

// Rules: SETTLE-26
export interface Asked {
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Answers without a body, which `Response` must not be given one for. */
const EMPTY = new Set([204, 205, 304])

/**
 * As `fetch`, to the public internet alone (`connectionTo`), with no redirect followed and at most `bytesMax` read. For an address that
 * somebody wrote into a page.
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
