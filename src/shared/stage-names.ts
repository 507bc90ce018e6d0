import type { Name, PublicLocale, Texts } from './languages.ts'
import { nameOf } from './names.ts'

/** What a new stage is called before an operator thinks of something better: its number, in the languages of the site. */
export function stageNumbered(number: number, languages: readonly PublicLocale[]): Name {
  const names: Required<Texts> = {
    en: `Stage ${number}`,
    ru: `Этап ${number}`,
    es: `Etapa ${number}`,
    ar: `المرحلة ${number}`,
  }
  return nameOf({ en: '', ru: '', ...Object.fromEntries(languages.map((locale) => [locale, names[locale]])) })
}
