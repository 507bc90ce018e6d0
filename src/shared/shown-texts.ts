import { isPublicLocale, type PublicLocale } from './languages.ts'

/** A text of an approval request. */
export interface ShownText {
  /** The language of the buyers who see the text; null: all buyers. */
  readonly language: PublicLocale | null
  /** The language of the text itself, which differs if theirs is missing. */
  readonly lang: PublicLocale | null
  /** The field's path; list items by their number. */
  readonly place: string
}

/** The text's name in a request's summary. Numbers keep the order, which the database does not. */
export const keyOfText = (number: number, { language, lang, place }: ShownText): string =>
  `${String(number).padStart(4, '0')}/${language ?? ''}/${lang ?? ''}/${place.replaceAll(/[^\w.]/g, '_')} text`

/** Undefined if the name, or a path in the audit log, is of another fact. */
export function textOfKey(name: string): ShownText | undefined {
  const [, language, lang, place] = /(?:^|\.)\d{4}\/(\w*)\/(\w*)\/(\S*) text$/.exec(name) ?? []
  if (place === undefined) return undefined
  return {
    language: isPublicLocale(language) ? language : null,
    lang: isPublicLocale(lang) ? lang : null,
    place,
  }
}
