import { existsSync, readFileSync } from 'node:fs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { defaultLanguage, type PublicLocale, type Texts } from '../shared/languages.ts'
import { noTexts } from '../shared/texts.ts'

/** What stands in the places of a text; a figure is written as it is given, except for `#` in a plural. */
export type Values = Readonly<Record<string, string | number>>

type Part = string | readonly [name: string] | readonly [name: string, type: string, cases: Cases]
type Cases = Readonly<Record<string, readonly Part[] | number>>

/** The texts of one language by id, each compiled when it is first used. */
type Catalogue = Map<string, string | readonly Part[]>

const catalogues = new Map<string, Catalogue>()

/**
 * The text `id` of `locales/LANGUAGE/server.po`, of which each `{name}` is replaced by its value; in English where the language lacks it.
 * Texts are in ICU message format: places, plurals, selects. Throws on an unknown id and on a value that is missing: both are bugs.
 */
export function say(language: PublicLocale, id: string, values: Values = {}): string {
  const from = [language, defaultLanguage].find((code) => catalogueOf(code).has(id))
  if (!from) throw new Error(`No text ${id} in locales/${defaultLanguage}/server.po`)
  const catalogue = catalogueOf(from)
  let text = catalogue.get(id) ?? ''
  if (typeof text === 'string') {
    text = compiled(text)
    catalogue.set(id, text)
  }
  return filled(text, { id, language: from, values })
}

/** What is said in each of the languages, as an operator's text that stands in several of them. */
export function textsOf(
  languages: readonly PublicLocale[],
  saidIn: (language: PublicLocale) => string,
): Texts {
  return { ...noTexts, ...Object.fromEntries(languages.map((language) => [language, saidIn(language)])) }
}

/** Whether there is a text of this id. */
export const knows = (id: string): boolean => catalogueOf(defaultLanguage).has(id)

/** The parts of a text in ICU message format. Throws on any other. */
export function compiled(text: string): readonly Part[] {
  return compileMessageOrThrow(text) as readonly Part[]
}

/** Every text of a catalogue by its id. Throws on a line that is no part of one. */
export function parseCatalogue(po: string): Map<string, string> {
  const texts = new Map<string, string>()
  const rest = po.replace(ENTRY, (_, id: string, text: string) => {
    const key = unquoted(id)
    if (texts.has(key)) throw new Error(`Twice in the catalogue: ${key}`)
    texts.set(key, unquoted(text))
    return ''
  })
  const stray = rest.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'))
  if (stray !== undefined) throw new Error(`Not understood in the catalogue: ${stray}`)
  texts.delete('')
  return texts
}

const ENTRY = /^msgid ("[^\n]*"(?:\n"[^\n]*")*)\nmsgstr ("[^\n]*"(?:\n"[^\n]*")*)$/gm

/** The strings of an entry, which stand one below another, as one. */
const unquoted = (strings: string) =>
  strings
    .split('\n')
    .map((line): string => JSON.parse(line))
    .join('')

function catalogueOf(language: string): Catalogue {
  let catalogue = catalogues.get(language)
  if (!catalogue) {
    const file = new URL(`../../locales/${language}/server.po`, import.meta.url)
    const texts = existsSync(file) ? parseCatalogue(readFileSync(file, 'utf8')) : []
    catalogue = new Map([...texts].filter(([, text]) => text !== ''))
    catalogues.set(language, catalogue)
  }
  return catalogue
}

interface Context {
  readonly id: string
  readonly language: string
  readonly values: Values
  /** What `#` stands for inside of a plural. */
  readonly count?: number
}

/** The text with its values in it. */
export function filled(parts: readonly Part[], context: Context): string {
  return parts.map((part) => partText(part, context)).join('')
}

function partText(part: Part, context: Context): string {
  const { id, language, values, count } = context
  if (part === '#' && count !== undefined) return new Intl.NumberFormat(language).format(count)
  if (typeof part === 'string') return part
  const [name, type, cases] = part
  const value = values[name]
  if (value === undefined) throw new Error(`The text ${id} lacks a value for {${name}}`)
  if (!cases) return String(value)
  if (type === 'select') return filled(chosen(cases, String(value)), context)
  const number = Number(value) - Number(cases['offset'] ?? 0)
  const rules = new Intl.PluralRules(language, { type: type === 'plural' ? 'cardinal' : 'ordinal' })
  const exact = Object.hasOwn(cases, String(value)) ? String(value) : rules.select(number)
  return filled(chosen(cases, exact), { ...context, count: number })
}

/** A value such as `constructor` or `offset` names no case. */
function chosen(cases: Cases, key: string): readonly Part[] {
  const own = Object.hasOwn(cases, key) ? cases[key] : undefined
  return (Array.isArray(own) ? own : cases['other']) as readonly Part[]
}
