import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ErrorCode } from '../shared/error-codes.ts'
import type { IssueFact } from '../shared/issues.ts'
import { ApiError, NetworkError } from './api.ts'

/** The server's message, or a generic one. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.issues[0]?.message ?? error.message
  if (error instanceof NetworkError)
    return t`The server could not be reached. Check the connection and try again.`
  return t`An error occurred. Please try again.`
}

/** The message in the page's language. The build collects the codes from a page's schemas. */
export function issueText({ code, value = '' }: IssueFact): string {
  const id = `issue.${code}`
  return i18n._(id, { value })
}

/** Undefined for other failures. */
export function refusalCode(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.code : undefined
}

/** Of a failed or unreadable answer; undefined if none arrived. */
export function answeredStatus(error: unknown): number | undefined {
  return error instanceof ApiError || error instanceof NetworkError ? error.status : undefined
}

export function isSessionOver(error: unknown): boolean {
  const code = refusalCode(error)
  return code === 'not_signed_in' || code === 'session_ended'
}

/** No answer, or 503. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503
  return error instanceof NetworkError
}
