import {
  languageOfLetters,
  type Name,
  type PublicLocale,
  publicLocales,
  type Texts,
  textsOfName,
} from './languages.ts'
import { noTexts, textLanguages } from './texts.ts'

/** Equal names are equal as JSON. */
export function nameOf(given: string | Partial<Texts>): Name {
  const texts = textsOfName(given)
  const written = publicLocales.flatMap((locale) => (texts[locale]?.trim() ? [[locale, texts[locale]]] : []))
  const [first] = written
  if (!first) return ''
  const [locale, text = ''] = first
  const isPlain = written.length === 1 && languageOfLetters(text) === locale
  return isPlain ? text : { ...noTexts, ...Object.fromEntries(written) }
}

/**
 * For files, where no language is requested: the name in a text language, else the first by code
 * (docs/journal.md).
 */
export function plainName(name: Name): string {
  const texts = textsOfName(name)
  const codes = [...new Set([...textLanguages, ...publicLocales.toSorted()])]
  return codes.map((code) => texts[code]).find((text) => text?.trim()) ?? ''
}

/** Ignores case. */
export function languageShared(one: Name, other: Name): PublicLocale | undefined {
  const [texts, others] = [textsOfName(one), textsOfName(other)]
  const said = (text: string | undefined) => text?.trim().toLocaleLowerCase() || undefined
  return publicLocales.find((locale) => said(texts[locale]) && said(texts[locale]) === said(others[locale]))
}
