import type { Language, PublicLocale } from '../../shared/languages.ts'

/** Said in a language that only the public pages have, where a page of an area is in another one. */
const words: Record<Exclude<PublicLocale, Language>, string> = {
  ar: 'هذا الجزء من الموقع غير متاح بالعربية، لذا يظهر بالإنجليزية.',
}

export const lackingWords = (locale: Exclude<PublicLocale, Language>): string => words[locale]
