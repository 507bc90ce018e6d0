import { type ErrorCode, errorCodes } from './error-codes.ts'
import { sayIssuesIn } from './issue-sentences.ts'
import type { PublicLocale } from './languages.ts'
import { errors as ar } from './locales/ar/errors.ts'
import { errors as es } from './locales/es/errors.ts'
import { issues } from './locales/es/issues.ts'

/** Sentences of languages beyond English and Russian, by their codes. */
const further: { readonly [L in PublicLocale]?: Readonly<Partial<Record<ErrorCode, string>>> } = {
  es,
  ar,
}
sayIssuesIn('es', issues)

/** The sentence of a refusal in a language; in English where that one has none. */
export function errorText(code: ErrorCode, locale: PublicLocale): string {
  const said = locale === 'en' || locale === 'ru' ? errorCodes[code][locale] : further[locale]?.[code]
  return said ?? errorCodes[code].en
}
