import { isIP, type Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../refusal.ts'
import { sendError } from './errors.ts'

/** What every answer tells browsers. */
function headersOf(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && {
      // Without includeSubDomains: what else the operator runs below this name may speak plain http.
      'strict-transport-security': 'max-age=31536000',
    }),
  }
}

/** What answers a program is no page: a browser that is led to it saves a file. */
const SAVED = 'attachment; filename="api.json"'

/**
 * A path that reads otherwise once its segments are decoded: an encoded slash, a dot segment. A proxy that decodes before it looks into its
 * cache would take it for another address than the router does.
 */
const hidesSegments = (path: string) => /%2f|%5c|\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)

/** Rejects a request whose sender or address is unclear, and sets the headers of every answer. */
export function guardRequests(app: FastifyInstance, publicUrl: string): void {
  const headers = new Map(Object.entries(headersOf(publicUrl)))
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeaders(headers)
    if (isIP(request.ip) === 0) refuse('malformed_request')
    if (hidesSegments(request.url.split('?', 1)[0] ?? '')) refuse('not_found')
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('content-disposition')) void reply.header('content-disposition', SAVED)
    done()
  })
}

/** Answers that are made before there is a route, which no hook sees: an address that can't be decoded, and what is not HTTP. */
export function answersBeforeRoutes(publicUrl: string) {
  const headers = headersOf(publicUrl)
  return {
    frameworkErrors: (error: Error, request: unknown, reply: unknown) => {
      const answer = (reply as FastifyReply).headers({ ...headers, 'content-disposition': SAVED })
      sendError(error, request as FastifyRequest, answer)
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (socket.writable && error.code !== 'ECONNRESET') socket.write(answerOf(error.code, headers))
      socket.destroy(error)
    },
  }
}

const statusTexts: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function answerOf(code: string | undefined, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const status = statusTexts[code ?? ''] ?? '400 Bad Request'
  return [`HTTP/1.1 ${status}`, 'content-length: 0', 'connection: close', ...lines, '', ''].join('\r\n')
}
