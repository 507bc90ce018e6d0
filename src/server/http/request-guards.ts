import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../refusal.ts'
import { sendError } from './errors.ts'

function headersOf(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && {
      // No includeSubDomains: the operator's other services below this name may use plain http.
      'strict-transport-security': 'max-age=31536000',
    }),
  }
}

/** A browser that opens an API response saves a file. */
const SAVED = 'attachment; filename="api.json"'

/**
 * An encoded slash or a dot segment: a proxy that decodes before caching would see another address than the
 * router.
 */
const hidesSegments = (path: string) => /%2f|%5c|\\|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)

/** A fragment or needlessly escaped letters, digits and `-._~`: a second spelling of an address. */
const isMisspelled = (path: string) => /%(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])|#/i.test(path)

/** Each page has one spelling, so that caches and budgets see one page. */
export function guardRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (hidesSegments(path) || isMisspelled(path)) refuse('not_found')
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    if (isJson && !reply.hasHeader('content-disposition')) void reply.header('content-disposition', SAVED)
    done()
  })
}

/**
 * Adds the headers to every response, including the framework's own errors, Node.js's own responses, and
 * invalid or slow requests.
 */
export function answersOf(publicUrl: string) {
  const headers = headersOf(publicUrl)
  const all = new Map(Object.entries(headers))
  class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(request: Request) {
      super(request)
      this.setHeaders(all)
    }
  }
  return {
    // Often, so that timed out connections are closed one by one and not by thousands at once.
    http: { ServerResponse: Answer, connectionsCheckingInterval: 500 },
    frameworkErrors: (error: Error, request: unknown, reply: unknown) => {
      sendError(
        error,
        request as FastifyRequest,
        (reply as FastifyReply).header('content-disposition', SAVED),
      )
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
