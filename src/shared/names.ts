import {
  languageOfLetters,
  type Name,
  type PublicLocale,
  publicLocales,
  type Texts,
  textsOfName,
} from './languages.ts'
import { noTexts, textLanguages } from './texts.ts'

/** The one way to write a name, so that equal ones are equal as JSON: a plain text wherever its letters say its language. */
export function nameOf(given: string | Partial<Texts>): Name {
  const texts = textsOfName(given)
  const written = publicLocales.flatMap((locale) => (texts[locale]?.trim() ? [[locale, texts[locale]]] : []))
  const [first] = written
  if (!first) return ''
  const [locale, text = ''] = first
  const isPlain = written.length === 1 && languageOfLetters(text) === locale
  return isPlain ? text : { ...noTexts, ...Object.fromEntries(written) }
}

/** A name where no language can be asked for, as in a file: in a language of every text, else in the first by its code (docs/journal.md). */
export function plainName(name: Name): string {
  const texts = textsOfName(name)
  const codes = [...new Set([...textLanguages, ...publicLocales.toSorted()])]
  return codes.map((code) => texts[code]).find((text) => text?.trim()) ?? ''
}

/** The first language in which both names have one text, whatever the case of its letters. */
export function languageShared(one: Name, other: Name): PublicLocale | undefined {
  const [texts, others] = [textsOfName(one), textsOfName(other)]
  const said = (text: string | undefined) => text?.trim().toLocaleLowerCase() || undefined
  return publicLocales.find((locale) => said(texts[locale]) && said(texts[locale]) === said(others[locale]))
}
