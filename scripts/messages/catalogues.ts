import { existsSync, readFileSync } from 'node:fs'
import { createCompiledCatalog } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import { parseCatalogue } from '../../src/server/texts.ts'
import { defaultLanguage, type PublicLocale, publicLocales } from '../../src/shared/languages.ts'

/**
 * An area's texts precede common ones. Pages use two kinds of the server's texts (`server.po`): field errors,
 * `issue.CODE`, for codes in their sources, and families of ids built in a source, such as `setting.${path}`.
 */
const names = ['operator', 'buyer', 'public', 'server'] as const
type Name = (typeof names)[number]

interface Catalogue {
  readonly name: Name
  readonly texts: Readonly<Record<string, string>>
  readonly idsOf: ReadonlyMap<string, readonly string[]>
}

/** The catalogues of `locales/`. */
export class Catalogues {
  readonly #root: string
  readonly #known = new Map<PublicLocale, Promise<Catalogue[]>>()

  constructor(root: string) {
    this.#root = root
  }

  clear(): void {
    this.#known.clear()
  }

  get files(): string[] {
    return publicLocales
      .flatMap((locale) => names.map((name) => this.#fileOf(locale, name)))
      .filter((file) => existsSync(file))
  }

  /** The returned function finds a source's message ids. */
  async ids(): Promise<(file: string, codes: Iterable<string>) => string[]> {
    const source = await this.#of(defaultLanguage)
    const said = source.filter(({ name }) => name === 'server').flatMap(({ texts }) => Object.keys(texts))
    const families = Map.groupBy(said, (id) => id.slice(0, id.indexOf('.') + 1))
    for (const id of said) families.set(id, [id])
    const issues = new Set(families.get('issue.'))
    // Only issue ids of a page's own codes are needed.
    families.delete('issue.')
    return (file, codes) => [
      ...source.flatMap(({ idsOf }) => idsOf.get(file) ?? []),
      ...[...codes].flatMap((code) => families.get(code) ?? []),
      ...[...codes].map((code) => `issue.${code}`).filter((id) => issues.has(id)),
    ]
  }

  /** Languages with a catalogue for all the messages. */
  async localesOf(ids: ReadonlySet<string>): Promise<PublicLocale[]> {
    const source = await this.#of(defaultLanguage)
    return publicLocales.filter((locale) => {
      const own = source.filter(({ name }) => existsSync(this.#fileOf(locale, name)))
      return [...ids].every((id) => own.some(({ texts }) => id in texts))
    })
  }

  /** Compiles to a JSON object; `folder` is the entry's in `src/client`. */
  async compile(locale: PublicLocale, folder: string, ids: ReadonlySet<string>): Promise<string> {
    const all = [...(await this.#of(locale)), ...(await this.#of(defaultLanguage))]
    // Operators' texts are for operators' pages only.
    const asked = all.filter(({ name }) => name !== 'operator' || folder === 'operator')
    const own = asked.filter(({ name }) => name === folder)
    const texts: Record<string, string> = {}
    for (const id of ids) {
      const found = [...own, ...asked].find((catalogue) => id in catalogue.texts)
      if (found) texts[id] = found.texts[id] ?? id
    }
    const { source, errors } = createCompiledCatalog(locale, texts, { namespace: 'json' })
    for (const { id, error } of errors) throw new Error(`${locale}, ${id}: ${error.message}`)
    return JSON.stringify((JSON.parse(source) as { messages: object }).messages)
  }

  #fileOf(locale: PublicLocale, name: Name): string {
    return `${this.#root}locales/${locale}/${name}.po`
  }

  #of(locale: PublicLocale): Promise<Catalogue[]> {
    const known = this.#known.get(locale)
    if (known) return known
    const existing = names.filter((name) => existsSync(this.#fileOf(locale, name)))
    const reading = Promise.all(existing.map((name) => this.#read(locale, name)))
    this.#known.set(locale, reading)
    return reading
  }

  async #read(locale: PublicLocale, name: Name): Promise<Catalogue> {
    const filename = this.#fileOf(locale, name)
    // Other ids derive from the English text.
    if (name === 'server') {
      const texts = parseCatalogue(readFileSync(filename, 'utf8'))
      return { name, texts: Object.fromEntries(texts), idsOf: new Map() }
    }
    const context = { locale, sourceLocale: defaultLanguage, filename }
    const messages = await formatter().parse(readFileSync(filename, 'utf8'), context)
    const texts: Record<string, string> = {}
    const idsOf = new Map<string, string[]>()
    for (const [id, { translation, message, origin = [] }] of Object.entries(messages)) {
      texts[id] = translation || message || id
      for (const [path] of origin) {
        const file = this.#root + path
        idsOf.set(file, [...(idsOf.get(file) ?? []), id])
      }
    }
    return { name, texts, idsOf }
  }
}
