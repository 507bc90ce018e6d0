import { type I18n, i18n, type Messages } from '@lingui/core'
import type { RouteObject } from 'react-router'
import { type IssueSentences, sayIssuesIn } from '../shared/issue-sentences.ts'
import { defaultLanguage, isLanguage, type Language, publicLocales } from '../shared/languages.ts'
import { documentFacts } from './document-facts.ts'

export type Locale = Language
export const isLocale = isLanguage

/** The locale the server put on `<html lang>`. */
export function documentLocale(): Locale {
  const { locale } = documentFacts()
  return isLocale(locale) ? locale : defaultLanguage
}

export type Area = 'buyer' | 'operator'

type Loader = () => Promise<{ messages: Messages }>

/** The files of a language's folder, fetched one by one. */
type Catalogues = Readonly<Record<string, Loader>>

/** Of English and Russian, whose readers fetch nothing before them. */
const files: Catalogues = import.meta.glob<{ messages: Messages }>([
  './locales/{en,ru}/{kit,buyer,operator}.po',
  './locales/{en,ru}/buyer/*.po',
])

/** Every further language says itself which files it has, so that no other page carries their names. */
const further = import.meta.glob<FurtherLanguage>('./locales/*/catalogues.ts')

export interface FurtherLanguage {
  readonly files: Catalogues
  /** What can be wrong with a field. */
  readonly issues: () => Promise<{ issues: IssueSentences }>
}

/** The folders of the buyer's pages, and the parts of one, that have a catalogue of their own. */
export type BuyerFolder =
  | 'account'
  | 'buy'
  | 'escrow'
  | 'guides'
  | 'holdings'
  | 'order'
  | 'origin'
  | 'overview'
  | 'profile'
  | 'rules'
  | 'settling'

interface Wanted {
  readonly locale: Locale
  readonly area: Area
  readonly folders: readonly BuyerFolder[]
}

/** What has to be current once everything that was asked for is there. */
let wanted: Wanted = { locale: 'en', area: 'buyer', folders: [] }

/** Loads the kit's and the area's messages and makes them current; also says the language on `<html>`. */
export async function activate(locale: Locale, area: Area): Promise<I18n> {
  wanted = { ...wanted, locale, area }
  await loadWanted()
  return i18n
}

/** Adds the messages of a folder of the buyer's pages, in whatever language is current. */
export async function addFolder(folder: BuyerFolder): Promise<void> {
  if (wanted.folders.includes(folder)) return
  wanted = { ...wanted, folders: [...wanted.folders, folder] }
  await loadWanted()
}

async function loadWanted(): Promise<void> {
  const loading = wanted
  const { locale, area, folders } = loading
  const messages = await messagesOf(locale, area, folders)
  // The language changed, or a page was opened, while this was on its way.
  if (wanted !== loading) return loadWanted()
  i18n.loadAndActivate({ locale, messages })
  document.documentElement.lang = locale
}

/** The messages of an area and of some folders in a language; the server draws with them. */
export async function messagesOf(
  locale: Locale,
  area: Area,
  folders: readonly BuyerFolder[],
): Promise<Messages> {
  const own = await further[`./locales/${locale}/catalogues.ts`]?.()
  const catalogue = (name: string): ReturnType<Loader> => {
    const load = own ? own.files[`./${name}.po`] : files[`./locales/${locale}/${name}.po`]
    if (!load) throw new Error(name)
    return load()
  }
  const [said, ...loaded] = await Promise.all([
    own?.issues(),
    ...['kit', area, ...folders.map((folder) => `buyer/${folder}`)].map(catalogue),
  ])
  if (said) sayIssuesIn(locale, said.issues)
  return Object.assign({}, ...loaded.map(({ messages }) => messages)) as Messages
}

/** The pages around an account stand below each language's code, too. */
export const inEachLanguage = (routes: RouteObject[]): RouteObject[] => [
  ...routes,
  ...publicLocales
    .filter((locale) => locale !== defaultLanguage)
    .map((path): RouteObject => ({ path, children: routes })),
]
