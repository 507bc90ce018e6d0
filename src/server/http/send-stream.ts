import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

/**
 * Sends what `source` yields, piece by piece as the other end takes it. A failure on the way cuts the connection: a
 * download that is not whole must not look whole. The source is closed in every case.
 */
export async function sendStream(
  reply: FastifyReply,
  headers: Record<string, string>,
  source: AsyncGenerator<Buffer | string>,
  status = 200,
): Promise<void> {
  const { raw, request } = reply
  const inherited = reply.getHeaders() as OutgoingHttpHeaders
  if (request.method === 'HEAD') {
    await source.return(undefined)
    reply.hijack()
    raw.writeHead(status, { ...inherited, ...headers })
    raw.end()
    return
  }
  // The first piece is read before anything is answered: what fails at once is still an ordinary error.
  const first = await source.next()
  reply.hijack()
  raw.writeHead(status, { ...inherited, ...headers })
  try {
    await pipeline(Readable.from(joined(first, source), { objectMode: true }), raw)
  } catch (error) {
    if (!raw.destroyed) raw.destroy()
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') request.log.error({ err: error }, 'a download broke off')
  }
}

async function* joined(first: IteratorResult<Buffer | string>, rest: AsyncGenerator<Buffer | string>) {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** A browser saves the answer and never shows it, whatever it holds. */
export function attachmentHeaders(fileName: string): Record<string, string> {
  const ascii = fileName.replace(/[^\w.() -]+/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  }
}
