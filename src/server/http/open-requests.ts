import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { LocalLimits } from '../limits/local-limits.ts'
import { networkOf } from './authentication.ts'
import { VISITOR_BODY_BYTES_MAX } from './costs.ts'
import { cutWhenStalled, STALL_MAX_MS } from './send-stream.ts'

/** The operating system's buffer takes shorter responses at once; they are not counted. */
const ANSWER_BYTES_MIN = 16_384
/** Bodies up to this size must arrive within `BODY_MAX_MS`; longer ones have the time of a whole request. */
const SMALL_BODY_BYTES_MAX = 65_536
const BODY_MAX_MS = 15_000

export interface OpenTimes {
  readonly stallMaxMs?: number
  readonly bodyMaxMs?: number
}

// Rules: RIGHT-25
/** Per network and in total; cuts stalled connections. Call after `keepCosts`. */
export function boundOpenRequests(
  app: FastifyInstance,
  limits: Pick<LocalLimits, 'openBody' | 'openFile'>,
  { stallMaxMs = STALL_MAX_MS, bodyMaxMs = BODY_MAX_MS }: OpenTimes = {},
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers } = request
    const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!isSent || raw.complete) return done()
    const close = limits.openBody(networkOf(request.ip))
    const { bodyBytes = VISITOR_BODY_BYTES_MAX } = request.routeOptions.config.cost ?? {}
    const late = bodyBytes <= SMALL_BODY_BYTES_MAX ? setTimeout(() => raw.destroy(), bodyMaxMs) : undefined
    const end = () => {
      clearTimeout(late)
      close()
    }
    raw.once('end', end)
    reply.raw.once('finish', end).once('close', end)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong =
      payload instanceof Readable || Buffer.byteLength((payload ?? '') as string) >= ANSWER_BYTES_MIN
    if (!isLong || request.method === 'HEAD') return done()
    try {
      const close = limits.openFile(networkOf(request.ip))
      const watch = cutWhenStalled(reply.raw, stallMaxMs)
      const end = () => {
        clearInterval(watch)
        close()
      }
      reply.raw.once('finish', end).once('close', end)
      done()
    } catch (error) {
      if (payload instanceof Readable) payload.destroy()
      for (const name of ['content-encoding', 'content-length', 'etag']) void reply.removeHeader(name)
      done(error as Error)
    }
  })
}
