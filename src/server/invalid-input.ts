import type { z } from 'zod'
import type { ErrorCode } from '../shared/error-codes.ts'
import type { IssueCode } from '../shared/issue-codes.ts'
import { factOf, type IssueFact } from '../shared/issues.ts'
import type { PublicLocale } from '../shared/languages.ts'
import { holdsPrivateKey } from '../shared/private-keys.ts'
import { refuse } from './refusal.ts'
import { say } from './texts.ts'

export interface Issue extends IssueFact {
  readonly path: string
}

/** 422 with path, code and sentence of each issue. */
export class InvalidInput extends Error {
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    super('invalid input')
    this.name = 'InvalidInput'
    this.issues = issues
  }
}

export const issueText = ({ code, value = '' }: IssueFact, language: PublicLocale): string =>
  say(language, `issue.${code}`, { value })

export function refuseField(path: string, code: IssueCode, value?: string): never {
  throw new InvalidInput([{ path, code, value }])
}

// Rules: WALLET-2
/**
 * For input to store. Throws `private_key_refused` if a text holds a private key, except in fields of
 * `mayLookLikeKeys`; then as `parseQuery`.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  if (holdsPrivateKey(input)) refuse('private_key_refused')
  return parseQuery(schema, input)
}

/**
 * Throws the schema's own error (`params.code`) if nothing else is wrong, else `InvalidInput` with all
 * issues.
 */
export function parseQuery<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  const code = ownCode(issues)
  if (code) refuse(code, { path: issues[0]?.path.join('.') })
  throw new InvalidInput(issues.map((issue) => ({ path: issue.path.join('.'), ...factOf(issue) })))
}

function ownCode(issues: readonly z.core.$ZodIssue[]): ErrorCode | undefined {
  const codes = new Set(issues.map((issue) => (issue.code === 'custom' ? issue.params?.['code'] : undefined)))
  const [code] = codes
  return codes.size === 1 && typeof code === 'string' ? (code as ErrorCode) : undefined
}
