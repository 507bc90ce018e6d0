import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
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

/** Letters, digits and `-._~` that are written as escapes, or a fragment: another spelling of an address that is there without. */
const isMisspelled = (path: string) => /%(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])|#/i.test(path)

/** Rejects a request whose address is unclear: each page has one spelling, so that caches and budgets see one page. */
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
 * Options by which every answer has the headers, whoever makes it: a route, the framework while it ends or can't decode an address, Node.js itself (a
 * request without a host), or this function for what is not HTTP and for what comes too slowly.
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
    // Connections that have said nothing in time are cut as they came, not thousands in one go while everybody waits.
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
