import type { issueCodes } from './issue-codes.ts'
import type { Language } from './languages.ts'
import type { operatorIssueCodes } from './operator-issue-codes.ts'

export type IssueCode = keyof typeof issueCodes | keyof typeof operatorIssueCodes

/** The sentences of a language about fields, by their codes. */
export type IssueSentences = Readonly<Record<IssueCode, string>>

/** Languages beyond English and Russian bring theirs with their catalogues, so that no page carries another's. */
const known = new Map<Language, IssueSentences>()

export const sentencesIn = (language: Language): IssueSentences | undefined => known.get(language)
export const sayIssuesIn = (language: Language, sentences: IssueSentences): void => {
  known.set(language, sentences)
}
