import { isPublicLocale, type PublicLocale } from './languages.ts'

/** The place of a text in an approval request. */
export interface ShownText {
  /** Buyers who read the site in this language see the text; null: all buyers. */
  readonly language: PublicLocale | null
  /** The language of the text itself, which differs if theirs is missing; null: of none. */
  readonly lang: PublicLocale | null
  /** Path of the field; list items by their number. */
  readonly place: string
}

/** The name of a text in a request's summary. Numbers keep the order, which the database does not. */
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
