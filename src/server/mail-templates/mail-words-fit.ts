import type { MailKind, MailLanguage, MailWords } from '../../shared/api/mail-templates.ts'
import { InvalidInput } from '../invalid-input.ts'
import { issuesOfWords, wordRules } from '../mail/mail.ts'

/** All faults, as invalid input. */
export function refuseUnfit(kind: MailKind, language: MailLanguage, words: MailWords): void {
  const issues = issuesOfWords(words, wordRules(kind, language))
  if (issues.length > 0) throw new InvalidInput(issues)
}
