import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ErrorCode } from '../shared/error-codes.ts'
import type { IssueFact } from '../shared/issues.ts'
import { ApiError, NetworkError } from './api.ts'

/** One sentence for people: the server's own, in the page's language, or what can be said without one. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.issues[0]?.message ?? error.message
  if (error instanceof NetworkError)
    return t`The server could not be reached. Check the connection and try again.`
  return t`An error occurred. Please try again.`
}

/** What is wrong with a field, in the page's language; the build finds the codes in the schemas that a page loads. */
export function issueText({ code, value = '' }: IssueFact): string {
  const id = `issue.${code}`
  return i18n._(id, { value })
}

/** The refusal's code, or undefined where no refusal came (a network fault, a bug). */
export function refusalCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.code : undefined
}

/** The HTTP status of an answer that was no success or could not be read; undefined where no answer came. */
export function answeredStatus(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof NetworkError ? error.status : undefined
}

/** The session is over or never was: the guard sends to the login and back. */
export function isSessionOver(error: unknown): boolean {
  const code = refusalCode(error)
  return code === 'not_signed_in' || code === 'session_ended'
}

/** Worth trying again: no answer came, or the server is catching its breath. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503
  return error instanceof NetworkError
}
