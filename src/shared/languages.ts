import { isRightToLeft } from './direction.ts'

/** A language of the product: this line, and a folder of that name in `locales/` (CONTRIBUTING.md, “Add a language”). */
interface LanguageFacts {
  /** The public pages alone; left out: areas, mails and refusals, too. */
  readonly covers?: 'public'
  /** Whether `src/client/assets/guide` shows the pages in it; left out: the pictures are those of the first language. */
  readonly pictures?: boolean
  /** Every text of an operator has it, if only empty, and a new sale is in it. Hashes of texts in the journal rest on this: it never changes. */
  readonly inEveryText?: true
}

/** Every language by its code (BCP 47); the first one is the source of the others, and what is shown where nothing else is there. */
export const languageFacts = {
  en: { pictures: true, inEveryText: true },
  ru: { pictures: true, inEveryText: true },
  es: {},
  ar: { covers: 'public' },
} as const satisfies Record<string, LanguageFacts>

/** A language that public pages come in. */
export type PublicLocale = keyof typeof languageFacts
/** A language that everything comes in. */
export type Language = {
  [L in PublicLocale]: (typeof languageFacts)[L] extends { covers: 'public' } ? never : L
}[PublicLocale]

export const defaultLanguage = 'en'

/** What else is known of a language. */
interface FurtherFacts {
  /** In itself. */
  readonly name: string
  /** Undefined: from left to right. */
  readonly direction: 'rtl' | undefined
}

/** The row of a language, its name and its direction; of an unknown language those of the default one. */
export function factsOf(locale: string): LanguageFacts & FurtherFacts {
  const known = Object.hasOwn(languageFacts, locale) ? (locale as PublicLocale) : defaultLanguage
  return {
    ...languageFacts[known],
    direction: isRightToLeft(known) ? 'rtl' : undefined,
    get name() {
      return nameInItself(known)
    },
  }
}

/** As it stands in a list, with a capital letter. */
function nameInItself(locale: PublicLocale): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

export const publicLocales = Object.keys(languageFacts) as [PublicLocale, ...PublicLocale[]]
export const languages = publicLocales.filter((locale) => !factsOf(locale).covers) as [
  Language,
  ...Language[],
]

/** A language that every text has, empty or not. */
export type TextLanguage = {
  [L in PublicLocale]: (typeof languageFacts)[L] extends { inEveryText: true } ? L : never
}[PublicLocale]

export const isPublicLocale = (value: unknown): value is PublicLocale =>
  publicLocales.includes(value as PublicLocale)
export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

/** The address of a public page in a language: all but the first live below their codes. */
export function localPath(locale: string, path: string): string {
  if (locale === defaultLanguage || !isPublicLocale(locale)) return path
  return path === '/' ? `/${locale}` : `/${locale}${path}`
}

/** The language that a path of the site lies below; undefined where it names none. */
export function localeOfPath(path: string): PublicLocale | undefined {
  const part = /^\/([\w-]+)(?=[/?#]|$)/.exec(path)?.[1]
  return part !== defaultLanguage && isPublicLocale(part) ? part : undefined
}

/** The path without its language. */
export function pathWithoutLocale(path: string): string {
  const locale = localeOfPath(path)
  return locale ? path.slice(locale.length + 1) || '/' : path
}

/** Of what a browser asks for, the first that is `offered`; without any, the default one. */
export function languageAsked<L extends string>(asked: string, offered: readonly L[]): L | 'en' {
  const codes = asked.split(',').map((part) => part.trim().toLowerCase())
  const wanted = codes[0] ?? ''
  return offered.find((code) => new RegExp(`^${code}\\b`, 'i').test(wanted)) ?? defaultLanguage
}

/** A text for each language that has one. */
export type Texts = { [L in TextLanguage]: string } & { [L in PublicLocale]?: string }

/** A name that an operator gave: of one language alone it may be a plain text, whose letters say of which. No page can show it as it is. */
export type Name = string | Texts

/** The text in a language, else in the first one that has it, with the language that it is really in. */
export function pickText(given: Name, locale: string): { text: string; lang: PublicLocale } {
  const wanted = isPublicLocale(locale) ? locale : defaultLanguage
  const text = textsOfName(given)
  const lang = [wanted, ...publicLocales].find((language) => text[language]?.trim()) ?? wanted
  return { text: text[lang] ?? '', lang }
}

export function textsOfName(name: string | Partial<Texts>): Partial<Texts> {
  return typeof name === 'string' ? { [languageOfLetters(name)]: name } : name
}

/** The first language whose script stands in it, other than that of the default language, which it is of otherwise. */
export function languageOfLetters(text: string): PublicLocale {
  const written = publicLocales.find((locale) => {
    const script = scriptIn(locale)
    return script !== scriptIn(defaultLanguage) && new RegExp(`\\p{Script=${script}}`, 'u').test(text)
  })
  return written ?? defaultLanguage
}

const scriptIn = (locale: string) => new Intl.Locale(locale).maximize().script ?? ''

/** Whether it says nothing in any language. */
export const isBlank = (text: Texts): boolean => publicLocales.every((locale) => !text[locale]?.trim())

/** As Open Graph writes it, with the place where most of its speakers are: `es_ES`. */
export function openGraphLocale(locale: PublicLocale): string {
  const { language, region } = new Intl.Locale(locale).maximize()
  return `${language}_${region}`
}

/** The script that it is written in, as the fonts in src/client/styles/fonts are called. */
export const scriptOf = (locale: PublicLocale): 'latin' | 'cyrillic' =>
  scriptIn(locale) === 'Cyrl' ? 'cyrillic' : 'latin'
