import type { z } from 'zod'
import { type IssueText, issueCodes } from './issue-codes.ts'
import { type IssueCode, sentencesIn } from './issue-sentences.ts'
import type { Language } from './languages.ts'

/** What is wrong with a field, in no language yet. */
export interface IssueFact {
  readonly code: IssueCode
  /** What stands for `{}` in the sentence. */
  readonly value?: string | undefined
}

/** All codes that are known where this runs, with their sentences. */
export const said: { [Code in IssueCode]?: IssueText } = { ...issueCodes }
/** Adds codes of a part of the product that not every page carries. */
export const alsoSay = (texts: typeof said): void => {
  Object.assign(said, texts)
}

/** The sentence of a fact in a language. */
export function issueText({ code, value = '' }: IssueFact, language: Language): string {
  const texts = said[code] ?? issueCodes.invalid
  const sentence = language === 'en' || language === 'ru' ? texts[language] : sentencesIn(language)?.[code]
  return (sentence ?? texts.en).replace('{}', value)
}

/** What a schema says of one field; the input must be in its report (`reportInput`). */
export function factOf(issue: z.core.$ZodIssue): IssueFact {
  return saidInSchema(issue.message) ?? foundBy(issue)
}

/** The code of a sentence that a schema of ours says, with the number in it. */
export function saidInSchema(message: string): IssueFact | undefined {
  for (const [name, { en }] of Object.entries(said)) {
    const code = name as IssueCode
    const [before = '', after] = en.split('{}')
    if (after === undefined) {
      if (message === before) return { code }
      continue
    }
    const value = message.slice(before.length, message.length - after.length)
    if (message === before + value + after && /^-?[\d.]+$/.test(value)) return { code, value }
  }
  return undefined
}

/** The code of what the schema library finds by itself; its own sentences name types, which help nobody. */
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
