import { type I18n, i18n, type Messages } from '@lingui/core'
import type { RouteObject } from 'react-router'
import { defaultLanguage, isLanguage, type Language, publicLocales } from '../shared/languages.ts'
import { documentFacts } from './document-facts.ts'

export type Locale = Language
export const isLocale = isLanguage

/** The locale the server put on `<html lang>`. */
export function documentLocale(): Locale {
  const { locale } = documentFacts()
  return isLocale(locale) ? locale : defaultLanguage
}

/** What an entry says in a language from the start, and a loader for each part that is fetched late and says more. */
interface Catalogue {
  readonly messages: Messages
  readonly parts: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>>
}

/** A loader for each language, as `virtual:messages` gives them. */
export type Catalogues = Readonly<Record<string, () => Promise<Catalogue>>>

/** What has to be current once everything that was asked for is there. */
let wanted: {
  readonly catalogues: Catalogues
  readonly locale: Locale
  readonly parts: readonly string[]
} = { catalogues: {}, locale: defaultLanguage, parts: [] }

/** The load of all that is wanted, while it is under way or once it is done; undefined after a failure. */
let loading: Promise<void> | undefined

/** Says which messages there are; called once, before anything is drawn. */
export function enterCatalogues(catalogues: Catalogues): void {
  wanted = { ...wanted, catalogues }
}

/** Loads the messages of all that was fetched and makes them current; also says the language on `<html>`. */
export async function activate(locale: Locale): Promise<I18n> {
  await want({ ...wanted, locale })
  return i18n
}

/**
 * Waits for a part that is fetched late and for its messages, in whatever language is current. The build puts this around each `import()`
 * of such a part (scripts/messages/plugin.ts).
 */
export async function bring<Part>(part: Promise<Part>, name: string): Promise<Part> {
  const [loaded] = await Promise.all([part, addPart(name)])
  return loaded
}

async function addPart(name: string): Promise<void> {
  const { catalogues, locale } = wanted
  const catalogue = await catalogues[locale]?.()
  if (!catalogue?.parts[name]) return
  // Two parts of a page may come from one file: the second waits for the first one's messages.
  if (loading && wanted.parts.includes(name)) return loading
  const others = wanted.parts.filter((part) => part !== name)
  await want({ ...wanted, parts: [...others, name] })
}

function want(next: typeof wanted): Promise<void> {
  wanted = next
  const begun = loadWanted()
  loading = begun
  begun.catch(() => {
    if (loading === begun) loading = undefined
  })
  return begun
}

async function loadWanted(): Promise<void> {
  const asked = wanted
  const { catalogues, locale, parts } = asked
  const catalogue = await catalogues[locale]?.()
  const loaded = await Promise.all(parts.map((name) => catalogue?.parts[name]?.()))
  // The language changed, or a part was opened, while this was on its way.
  if (wanted !== asked) return loading ?? loadWanted()
  const messages = Object.assign({}, catalogue?.messages, ...loaded.map((part) => part?.messages)) as Messages
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
}

/** The pages around an account stand below each language's code, too. */
export const inEachLanguage = (routes: RouteObject[]): RouteObject[] => [
  ...routes,
  ...publicLocales
    .filter((locale) => locale !== defaultLanguage)
    .map((path): RouteObject => ({ path, children: routes })),
]
