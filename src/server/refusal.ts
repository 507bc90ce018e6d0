import type { ErrorCode } from '../shared/error-codes.ts'
import { defaultLanguage, type PublicLocale } from '../shared/languages.ts'
import { say } from './texts.ts'

export const errorText = (code: ErrorCode, language: PublicLocale = defaultLanguage): string =>
  say(language, `error.${code}`)

/** An expected error that the caller can act on; the error handler renders it. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, details?: Record<string, unknown>) {
    super(errorText(code))
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

/** Typed `never` for control flow analysis. */
export function refuse(code: ErrorCode, details?: Record<string, unknown>): never {
  throw new Refusal(code, details)
}

/** Transient (a node is down, a connection broke): 503 over HTTP, backoff in a job. */
export class RetryableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'RetryableError'
  }
}

/** A broken invariant is a bug: 500 over HTTP; elsewhere its chain or job type stops. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}
