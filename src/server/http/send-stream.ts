import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { LocalLimits } from '../limits/local-limits.ts'
import { networkOf } from './authentication.ts'

/** A reader that takes nothing for this long is cut off. */
export const STALL_MAX_MS = 30_000

export type FileLimits = Pick<LocalLimits, 'openFile'>

export interface StreamOptions {
  readonly status?: number
  readonly limits?: FileLimits | undefined
  readonly stallMaxMs?: number
}

/**
 * As fast as the client reads. A failure cuts the connection: a partial download must not look complete.
 * Always closes the source.
 */
export async function sendStream(
  reply: FastifyReply,
  headers: Record<string, string>,
  source: AsyncGenerator<Buffer | string>,
  { status = 200, limits, stallMaxMs = STALL_MAX_MS }: StreamOptions = {},
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
  const close = limits?.openFile(networkOf(request.ip))
  const watch = cutWhenStalled(raw, stallMaxMs)
  try {
    // Before responding, so that an early failure is an ordinary error.
    const first = await source.next()
    reply.hijack()
    raw.writeHead(status, { ...inherited, ...headers })
    await sendPieces(raw, first, source, (error) => request.log.error({ err: error }, 'a download broke off'))
  } finally {
    clearInterval(watch)
    close?.()
  }
}

/** `onFailure`: the source failed; the client did not leave and was not cut off. */
async function sendPieces(
  raw: ServerResponse,
  first: IteratorResult<Buffer | string>,
  rest: AsyncGenerator<Buffer | string>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const pieces = async function* () {
    try {
      if (first.done) return
      yield first.value
      yield* rest
    } catch (error) {
      if (!raw.destroyed) onFailure(error)
      throw error
    } finally {
      await rest.return(undefined)
    }
  }
  await pipeline(Readable.from(pieces(), { objectMode: true }), raw).catch(() => raw.destroy())
}

/**
 * If no byte was sent for `stallMaxMs`. After a mere close the operating system would keep what it holds for
 * the reader, up to 4 MB, for minutes.
 */
export function cutWhenStalled(raw: ServerResponse, stallMaxMs: number): NodeJS.Timeout {
  const { socket } = raw
  let sent = 0
  let movedAt = performance.now()
  return setInterval(() => {
    const now = socket ? socket.bytesWritten - socket.writableLength : 0
    if (now !== sent || !raw.headersSent) movedAt = performance.now()
    sent = now
    if (performance.now() - movedAt < stallMaxMs) return
    socket?.resetAndDestroy()
    raw.destroy()
  }, stallMaxMs / 10)
}

/** Browsers save the response and never display it. */
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
