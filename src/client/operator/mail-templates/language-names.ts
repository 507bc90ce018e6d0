import { useLingui } from '@lingui/react/macro'
import { type MailLanguage, mailLanguages } from '../../../shared/api/mail-templates.ts'

export function useLanguageNames(): Record<MailLanguage, string> {
  const { i18n } = useLingui()
  const written = new Intl.DisplayNames([i18n.locale], { type: 'language' })
  const named = (language: MailLanguage) => {
    const name = written.of(language) ?? language
    return name[0]?.toLocaleUpperCase(i18n.locale) + name.slice(1)
  }
  return Object.fromEntries(mailLanguages.map((language) => [language, named(language)])) as Record<
    MailLanguage,
    string
  >
}
