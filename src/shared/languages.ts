/** A language of the product: this line, and folders of that name (CONTRIBUTING.md, “Add a language”). */
interface LanguageFacts {
  /** In itself. */
  readonly name: string
  /** Where the whole name has no place. */
  readonly short: string
  readonly direction: 'ltr' | 'rtl'
  /** `site`: pages, areas, mails and refusals; `public`: the public pages alone. */
  readonly covers: 'site' | 'public'
  readonly openGraph: string
  /** Of the fonts in src/client/styles/fonts. */
  readonly script: 'latin' | 'cyrillic'
}

/** Every language by its code (BCP 47); the first one is the source of the others, and what is shown where nothing else is there. */
export const languageFacts = {
  en: {
    name: 'English',
    short: 'En',
    direction: 'ltr',
    covers: 'site',
    openGraph: 'en_US',
    script: 'latin',
  },
  ru: {
    name: 'Русский',
    short: 'Ру',
    direction: 'ltr',
    covers: 'site',
    openGraph: 'ru_RU',
    script: 'cyrillic',
  },
} as const satisfies Record<string, LanguageFacts>

/** A language that public pages come in. */
export type PublicLocale = keyof typeof languageFacts
/** A language that everything comes in. */
export type Language = {
  [L in PublicLocale]: (typeof languageFacts)[L] extends { covers: 'site' } ? L : never
}[PublicLocale]

export const defaultLanguage = 'en'
export const publicLocales = Object.keys(languageFacts) as [PublicLocale, ...PublicLocale[]]
export const languages = publicLocales.filter(isOfSite) as [Language, ...Language[]]

function isOfSite(locale: PublicLocale): locale is Language {
  return (languageFacts[locale] satisfies LanguageFacts as LanguageFacts).covers === 'site'
}

export const isPublicLocale = (value: unknown): value is PublicLocale =>
  publicLocales.includes(value as PublicLocale)
export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

export const factsOf = (locale: string): LanguageFacts =>
  languageFacts[isPublicLocale(locale) ? locale : defaultLanguage]

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

/** A text for each language that has one. The first two stand in every text, empty or not. */
export type Texts = { en: string; ru: string } & { [L in PublicLocale]?: string }

/** The text in a language, else in the first one that has it, with the language that it is really in. */
export function pickText(text: Texts, locale: string): { text: string; lang: PublicLocale } {
  const wanted = isPublicLocale(locale) ? locale : defaultLanguage
  const lang = [wanted, ...publicLocales].find((language) => text[language]?.trim()) ?? wanted
  return { text: text[lang] ?? '', lang }
}

/** Whether it says nothing in any language. */
export const isBlank = (text: Texts): boolean => publicLocales.every((locale) => !text[locale]?.trim())

/** Every language of a text one after another, by their codes. */
export const allOf = (text: Texts): string =>
  publicLocales
    .flatMap((locale) => (text[locale] === undefined ? [] : [`${locale.toUpperCase()}: ${text[locale]}`]))
    .join(' / ')
