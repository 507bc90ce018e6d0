import { isRightToLeft } from './direction.ts'

/** A language needs a row, and a folder of that name in `locales/` (CONTRIBUTING.md, “Add a language”). */
interface LanguageFacts {
  /** `public`: public pages only. Left out: also areas, mails and error messages. */
  readonly covers?: 'public'
  /** True if `src/client/assets/guide` has its screenshots. Left out: the first language's are used. */
  readonly pictures?: boolean
  /**
   * Every operator's text has this language, even if empty. Never change it: the journal's hashes depend on
   * it.
   */
  readonly inEveryText?: true
}

/** Languages by BCP 47 code. The first is the source and the fallback. */
export const languageFacts = {
  en: { pictures: true, inEveryText: true },
  ru: { pictures: true, inEveryText: true },
  es: {},
  ar: { covers: 'public' },
} as const satisfies Record<string, LanguageFacts>

export type PublicLocale = keyof typeof languageFacts
export type Language = {
  [L in PublicLocale]: (typeof languageFacts)[L] extends { covers: 'public' } ? never : L
}[PublicLocale]

export const defaultLanguage = 'en'

interface FurtherFacts {
  /** In the language itself. */
  readonly name: string
  /** Undefined: left to right. */
  readonly direction: 'rtl' | undefined
}

/** The default language's for an unknown one. */
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

/** The name with a capital letter, for lists. */
function nameInItself(locale: PublicLocale): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}

export const publicLocales = Object.keys(languageFacts) as [PublicLocale, ...PublicLocale[]]
export const languages = publicLocales.filter((locale) => !factsOf(locale).covers) as [
  Language,
  ...Language[],
]

/** A language that every text has, even if empty. */
export type TextLanguage = {
  [L in PublicLocale]: (typeof languageFacts)[L] extends { inEveryText: true } ? L : never
}[PublicLocale]

export const isPublicLocale = (value: unknown): value is PublicLocale =>
  publicLocales.includes(value as PublicLocale)
export const isLanguage = (value: unknown): value is Language => languages.includes(value as Language)

/** Adds the language to a path: all but the first are below their codes. */
export function localPath(locale: string, path: string): string {
  if (locale === defaultLanguage || !isPublicLocale(locale)) return path
  return path === '/' ? `/${locale}` : `/${locale}${path}`
}

/** Undefined if the path has none. */
export function localeOfPath(path: string): PublicLocale | undefined {
  const part = /^\/([\w-]+)(?=[/?#]|$)/.exec(path)?.[1]
  return part !== defaultLanguage && isPublicLocale(part) ? part : undefined
}

export function pathWithoutLocale(path: string): string {
  const locale = localeOfPath(path)
  return locale ? path.slice(locale.length + 1) || '/' : path
}

/** Else the default. */
export function languageAsked<L extends string>(asked: string, offered: readonly L[]): L | 'en' {
  const codes = asked.split(',').map((part) => part.trim().toLowerCase())
  const wanted = codes[0] ?? ''
  return offered.find((code) => new RegExp(`^${code}\\b`, 'i').test(wanted)) ?? defaultLanguage
}

export type Texts = { [L in TextLanguage]: string } & { [L in PublicLocale]?: string }

/**
 * A name in one language may be a plain string whose script implies the language. Pages never show it
 * unprocessed.
 */
export type Name = string | Texts

/** The text in the first available language if it lacks this one. */
export function pickText(given: Name, locale: string): { text: string; lang: PublicLocale } {
  const wanted = isPublicLocale(locale) ? locale : defaultLanguage
  const text = textsOfName(given)
  const lang = [wanted, ...publicLocales].find((language) => text[language]?.trim()) ?? wanted
  return { text: text[lang] ?? '', lang }
}

export function textsOfName(name: string | Partial<Texts>): Partial<Texts> {
  return typeof name === 'string' ? { [languageOfLetters(name)]: name } : name
}

/** Otherwise the default. */
export function languageOfLetters(text: string): PublicLocale {
  const written = publicLocales.find((locale) => {
    const script = scriptIn(locale)
    return script !== scriptIn(defaultLanguage) && new RegExp(`\\p{Script=${script}}`, 'u').test(text)
  })
  return written ?? defaultLanguage
}

const scriptIn = (locale: string) => new Intl.Locale(locale).maximize().script ?? ''

export const isBlank = (text: Texts): boolean => publicLocales.every((locale) => !text[locale]?.trim())

export function openGraphLocale(locale: PublicLocale): string {
  const { language, region } = new Intl.Locale(locale).maximize()
  return `${language}_${region}`
}

/** The script as in the font names of src/client/styles/fonts. */
export const scriptOf = (locale: PublicLocale): 'latin' | 'cyrillic' =>
  scriptIn(locale) === 'Cyrl' ? 'cyrillic' : 'latin'
