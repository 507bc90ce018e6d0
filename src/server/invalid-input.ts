import type { z } from 'zod'
import type { ErrorCode } from '../shared/error-codes.ts'
import { type IssueCode, issueCodeNames, issueCodes } from '../shared/issue-codes.ts'
import { refuse } from './refusal.ts'

export interface Issue {
  readonly path: string
  readonly code: IssueCode
  /** What stands for `{}` in the sentence. */
  readonly value?: string | undefined
}

/** Invalid input, as a schema or a rule saw it: 422 with path, code and sentence of each issue. */
export class InvalidInput extends Error {
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    super('invalid input')
    this.name = 'InvalidInput'
    this.issues = issues
  }
}

/** Throws one issue of one field. */
export function refuseField(path: string, code: IssueCode, value?: string): never {
  throw new InvalidInput([{ path, code, value }])
}

/** The issue's sentence for people. */
export function issueText({ code, value = '' }: Issue, language: 'en' | 'ru'): string {
  return issueCodes[code][language].replace('{}', value)
}

/**
 * The input by its schema. Throws the refusal that a schema names (`params.code`) where nothing else is wrong, else `InvalidInput`
 * with all that is.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  const code = ownCode(issues)
  if (code) refuse(code, { path: issues[0]?.path.join('.') })
  throw new InvalidInput(
    issues.map((issue) => ({
      path: issue.path.join('.'),
      ...(saidInSchema(issue.message) ?? foundBy(issue)),
    })),
  )
}

function ownCode(issues: readonly z.core.$ZodIssue[]): ErrorCode | undefined {
  const codes = new Set(issues.map((issue) => (issue.code === 'custom' ? issue.params?.['code'] : undefined)))
  const [code] = codes
  return codes.size === 1 && typeof code === 'string' ? (code as ErrorCode) : undefined
}

/** The code of a sentence that a schema of ours says, with the number in it. */
export function saidInSchema(message: string): Omit<Issue, 'path'> | undefined {
  for (const code of issueCodeNames) {
    const [before = '', after] = issueCodes[code].en.split('{}')
    if (after === undefined) {
      if (message === before) return { code }
      continue
    }
    const value = message.slice(before.length, message.length - after.length)
    if (message === before + value + after && /^-?[\d.]+$/.test(value)) return { code, value }
  }
  return undefined
}

/** What the schema library finds without a sentence of ours; its own words name types, which help nobody. */
function foundBy(issue: z.core.$ZodIssue): Omit<Issue, 'path'> {
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
