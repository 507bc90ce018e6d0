import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../shared/api/route.ts'
import { type ErrorCode, errorCodes } from '../../shared/error-codes.ts'
import {
  type Language,
  languageAsked,
  languages,
  type PublicLocale,
  publicLocales,
} from '../../shared/languages.ts'
import { InvalidInput, type Issue, issueText } from '../invalid-input.ts'
import { errorText, Refusal, RetryableError } from '../refusal.ts'
import { failurePage, failurePolicy } from './failure-page.ts'
import { noteRefusal } from './security-log.ts'

const RETRY_AFTER_SECONDS = 2

/** The page's header, else `Accept-Language`. */
export function languageOf(request: FastifyRequest): Language {
  const asked = request.headers['x-language'] ?? request.headers['accept-language'] ?? ''
  return languageAsked(String(asked), languages)
}

/** Public pages have more languages than the rest. */
export function localeOf(request: FastifyRequest): PublicLocale {
  const asked = request.headers['x-language'] ?? request.headers['accept-language'] ?? ''
  return languageAsked(String(asked), publicLocales)
}

export interface Answer {
  code: ErrorCode
  details?: Record<string, unknown>
  issues?: readonly Issue[]
}

/** PostgreSQL cannot store the caller's input, such as a NUL, month 99 or a number out of range. */
const unstorable = ['22003', '22021', '22P05', '22007', '22008']

/** Timed out: nothing was written, and the caller may retry. */
const QUERY_CANCELED = '57014'

/** A bug shows only a request id. */
export function answerOf(error: unknown): Answer {
  if (error instanceof Refusal) return { code: error.code, details: error.details }
  if (error instanceof InvalidInput) return { code: 'invalid_input', issues: error.issues }
  if (error instanceof RetryableError) return { code: 'unavailable' }
  if (unstorable.includes(String((error as { code?: unknown }).code))) return { code: 'malformed_request' }
  if ((error as { code?: unknown }).code === QUERY_CANCELED) return { code: 'unavailable' }
  const status = (error as FastifyError).statusCode
  if (status === 413) return { code: 'too_large' }
  if (status === 404) return { code: 'not_found' }
  if (status === 405) return { code: 'method_not_allowed' }
  if (status === 415) return { code: 'unsupported_media_type' }
  if (status === 429) return { code: 'too_many_requests' }
  if (status !== undefined && status >= 400 && status < 500) return { code: 'malformed_request' }
  return { code: 'internal' }
}

/** Undefined if the status asks for no retry. */
export function retryAfterSeconds(status: number, details: Answer['details']): number | undefined {
  const told = details?.['retryAfterSeconds']
  if (typeof told === 'number') return told
  return status === 429 || status === 503 ? RETRY_AFTER_SECONDS : undefined
}

/** Renders failures as the error body of `src/shared/api/route-schemas.ts`. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}

const isForPage = ({ url, headers }: FastifyRequest) =>
  !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, details, issues } = answerOf(error)
  noteRefusal(request, code, details)
  const status = errorCodes[code]
  if (status >= 500 && !details?.['limit']) request.log.error({ err: error }, `request failed: ${code}`)
  const language = languageOf(request)
  const body: ErrorBody = {
    error: {
      code,
      message: errorText(code, localeOf(request)),
      details,
      issues: issues?.map((issue) => ({
        path: issue.path,
        code: issue.code,
        message: issueText(issue, language),
      })),
      requestId: request.id,
    },
  }
  const retryAfter = retryAfterSeconds(status, details)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  reply.code(status).header('cache-control', 'no-store')
  // A browser would save JSON as a file.
  if (isForPage(request))
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', failurePolicy)
      .send(failurePage(body.error.message, localeOf(request), retryAfter))
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
