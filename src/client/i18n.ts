import { type I18n, i18n, type Messages } from '@lingui/core'
import type { RouteObject } from 'react-router'
import { defaultLanguage, isLanguage, type Language, publicLocales } from '../shared/languages.ts'
import { documentFacts } from './document-facts.ts'

export type Locale = Language
export const isLocale = isLanguage

export function documentLocale(): Locale {
  const { locale } = documentFacts()
  return isLocale(locale) ? locale : defaultLanguage
}

/** Messages in one language, and a loader for each part with messages of its own. */
interface Catalogue {
  readonly messages: Messages
  readonly parts: Readonly<Record<string, () => Promise<{ readonly messages: Messages }>>>
}

/** A loader per language, from `virtual:messages`. */
export type Catalogues = Readonly<Record<string, () => Promise<Catalogue>>>

/** The catalogues, language and parts requested last. */
let wanted: {
  readonly catalogues: Catalogues
  readonly locale: Locale
  readonly parts: readonly string[]
} = { catalogues: {}, locale: defaultLanguage, parts: [] }

/** Undefined after a failure. */
let loading: Promise<void> | undefined

/** Call before anything is rendered. */
export function enterCatalogues(catalogues: Catalogues): void {
  wanted = { ...wanted, catalogues }
}

/** Also sets `<html lang>`. */
export async function activate(locale: Locale): Promise<I18n> {
  await want({ ...wanted, locale })
  return i18n
}

/** The build wraps each such `import()` with this (scripts/messages/plugin.ts). */
export async function bring<Part>(part: Promise<Part>, name: string): Promise<Part> {
  const [loaded] = await Promise.all([part, addPart(name)])
  return loaded
}

async function addPart(name: string): Promise<void> {
  const { catalogues, locale } = wanted
  const catalogue = await catalogues[locale]?.()
  if (!catalogue?.parts[name]) return
  // Two parts may share a file: the second waits for the first one's messages.
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
  // The language or the parts changed during this load.
  if (wanted !== asked) return loading ?? loadWanted()
  const messages = Object.assign({}, catalogue?.messages, ...loaded.map((part) => part?.messages)) as Messages
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
}

export const inEachLanguage = (routes: RouteObject[]): RouteObject[] => [
  ...routes,
  ...publicLocales
    .filter((locale) => locale !== defaultLanguage)
    .map((path): RouteObject => ({ path, children: routes })),
]
