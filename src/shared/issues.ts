import type { z } from 'zod'
import type { IssueCode } from './issue-codes.ts'

export interface IssueFact {
  readonly code: IssueCode
  readonly value?: string | undefined
}

/** The input must be in the issue's report (`reportInput`). */
export function factOf(issue: z.core.$ZodIssue): IssueFact {
  return writtenIn(issue.message) ?? foundBy(issue)
}

/** Parses our own `too_long 40`; the library's messages begin with a capital. */
function writtenIn(message: string): IssueFact | undefined {
  const [, code, value] = /^([a-z_]+)(?: (-?[\d.]+))?$/.exec(message) ?? []
  return code === undefined ? undefined : { code: code as IssueCode, value }
}

/** Maps the library's issues to codes, because its messages name types. */
function foundBy(issue: z.core.$ZodIssue): IssueFact {
  switch (issue.code) {
    case 'invalid_type':
      return { code: issue.input === undefined ? 'required' : 'wrong_type' }
    case 'invalid_value':
      return { code: issue.input === undefined ? 'required' : 'not_an_option' }
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return { code: 'required' }
      return { code: sized(issue.origin, 'too_short', 'too_few', 'too_small'), value: String(issue.minimum) }
    case 'too_big':
      return { code: sized(issue.origin, 'too_long', 'too_many', 'too_large'), value: String(issue.maximum) }
    case 'invalid_format':
      return { code: 'wrong_format' }
    case 'unrecognized_keys':
      return { code: 'unknown_field' }
    default:
      return { code: 'invalid' }
  }
}

function sized(origin: string, ofText: IssueCode, ofList: IssueCode, ofNumber: IssueCode): IssueCode {
  if (origin === 'string') return ofText
  return origin === 'array' || origin === 'set' ? ofList : ofNumber
}
