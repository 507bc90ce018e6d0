import { existsSync, readFileSync } from 'node:fs'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { defaultLanguage, type PublicLocale, type Texts } from '../shared/languages.ts'
import { noTexts } from '../shared/texts.ts'

/** For placeholders, inserted as given; only `#` in a plural is formatted. */
export type Values = Readonly<Record<string, string | number>>

type Part = string | readonly [name: string] | readonly [name: string, type: string, cases: Cases]
type Cases = Readonly<Record<string, readonly Part[] | number>>

/** A language's texts by id, compiled on first use. */
type Catalogue = Map<string, string | readonly Part[]>

const catalogues = new Map<string, Catalogue>()

/**
 * Text `id` of `locales/LANGUAGE/server.po`, in English if the language lacks it. ICU message format:
 * placeholders, plurals, selects. Throws on an unknown id or a missing value.
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

export function textsOf(
  languages: readonly PublicLocale[],
  saidIn: (language: PublicLocale) => string,
): Texts {
  return { ...noTexts, ...Object.fromEntries(languages.map((language) => [language, saidIn(language)])) }
}

export const knows = (id: string): boolean => catalogueOf(defaultLanguage).has(id)

/** ICU message format. Throws if invalid. */
export function compiled(text: string): readonly Part[] {
  return compileMessageOrThrow(text) as readonly Part[]
}

/** Texts by id. Throws on an invalid line. */
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
  /** `#` inside a plural. */
  readonly count?: number
}

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

/** Own properties only: a value such as `constructor` names no case. */
function chosen(cases: Cases, key: string): readonly Part[] {
  const own = Object.hasOwn(cases, key) ? cases[key] : undefined
  return (Array.isArray(own) ? own : cases['other']) as readonly Part[]
}
