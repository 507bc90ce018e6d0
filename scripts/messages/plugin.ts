import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { PublicLocale } from '../../src/shared/languages.ts'
import { Catalogues } from './catalogues.ts'
import { ImportGraph, importsIn } from './imports.ts'
import { Parts } from './parts.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const client = `${root}src/client/`

/**
 * Bundles the messages of each entry's files with the entry. Further messages of a dynamically imported file are bundled separately, or,
 * if they are few, with the file that imports it (see `Parts`). The import graph decides; there is no list.
 *
 * - `virtual:messages` exports `catalogues`: one loader per language for the messages of the importing entry. The plugin wraps each
 *   `import()` of a file with messages in `bring` (src/client/i18n.ts), so that the import also waits for them.
 * - `virtual:messages/all` exports `messages`: all messages of the entry and its parts, in every language.
 */
export function messages(): Plugin {
  const compiler = new Compiler()
  return {
    name: 'messages',
    enforce: 'pre',
    buildStart: () => compiler.clear(),
    resolveId: (id, importer) => compiler.resolve(id, importer),
    async load(id) {
      const code = await compiler.load(id)
      if (code === undefined) return
      for (const file of compiler.files) this.addWatchFile(file)
      return { code, moduleType: 'js' }
    },
    transform: {
      filter: { id: /\/src\/client\/(?:area|buyer|operator|ui)\/.*\.tsx?$/, code: 'import(' },
      async handler(code, id) {
        if (this.environment.name !== 'client') return
        const text = await compiler.withBring(id, code)
        return text === undefined ? undefined : { code: text, map: null }
      },
    },
  }
}

/** The file's path in `src/client` without extension. */
const nameOf = (file: string) => relative(client, file).replace(/\.tsx?$/, '')

const json = (text: string) => `JSON.parse(${JSON.stringify(text)})`

class Compiler {
  readonly #graph = new ImportGraph(`${root}src/`)
  readonly #catalogues = new Catalogues(root)
  readonly #parts = new Map<string, Promise<Parts>>()

  clear(): void {
    this.#graph.clear()
    this.#catalogues.clear()
    this.#parts.clear()
  }

  get files(): string[] {
    return this.#catalogues.files
  }

  /**
   * Undefined for any other import. The server's manifest shows these ids: `locales/all.js`,
   * `locales/each.js` or `locales/CODE/messages.js`, with entry (`in`) and part (`of`).
   */
  resolve(id: string, importer: string | undefined): string | undefined {
    if (id.startsWith(`${root}locales/`) && id.includes('.js?in=')) return id
    if (!importer || !/^virtual:messages(?:\/all)?$/.test(id)) return undefined
    return `${root}locales/${id.endsWith('/all') ? 'all' : 'each'}.js?in=${relative(client, importer)}`
  }

  async load(id: string): Promise<string | undefined> {
    const [, file, entry = '', part] = /\/locales\/(.+)\.js\?in=([^&]+)(?:&of=(.+))?$/.exec(id) ?? []
    if (!file) return undefined
    const parts = await this.#partsOf(entry)
    if (file === 'all') return this.#allOf(entry, parts)
    if (file === 'each') {
      const locales = await this.#catalogues.localesOf(parts.all)
      const loaders = locales.map((locale) => [locale, `${root}locales/${locale}/messages.js?in=${entry}`])
      return `export const catalogues=${loadersOf(loaders)}`
    }
    const locale = file.slice(0, file.indexOf('/')) as PublicLocale
    const compile = async (ids: ReadonlySet<string>) =>
      `export const messages=${json(await this.#catalogues.compile(locale, folderOf(entry), ids))}`
    if (part) return compile(parts.added(client + part))
    const loaders = parts.files.map((each) => [nameOf(each), `${id}&of=${relative(client, each)}`])
    return `${await compile(parts.base)};export const parts=${loadersOf(loaders)}`
  }

  /** Undefined if no import() in it needs messages. */
  async withBring(id: string, code: string): Promise<string | undefined> {
    const ids = await this.#catalogues.ids()
    const hasMessages = (file: string) =>
      [...this.#graph.reach([file])].some((reached) => ids(reached, this.#graph.of(reached).codes).length > 0)
    const late = importsIn(id, code).late.filter(({ file }) => hasMessages(file))
    if (late.length === 0) return undefined
    let text = code
    for (const { file, start, end } of late.toReversed())
      text = `${text.slice(0, start)}bring(${text.slice(start, end)},${JSON.stringify(nameOf(file))})${text.slice(end)}`
    return `import{bring}from${JSON.stringify(`${client}i18n.ts`)};${text}`
  }

  async #allOf(entry: string, parts: Parts): Promise<string> {
    const locales = await this.#catalogues.localesOf(parts.all)
    const each = locales.map(
      async (locale) =>
        `${JSON.stringify(locale)}:${json(await this.#catalogues.compile(locale, folderOf(entry), parts.all))}`,
    )
    return `export const messages={${(await Promise.all(each)).join()}}`
  }

  #partsOf(entry: string): Promise<Parts> {
    const known = this.#parts.get(entry)
    if (known) return known
    const made = this.#catalogues.ids().then((ids) => new Parts(this.#graph, ids, client + entry))
    this.#parts.set(entry, made)
    return made
  }
}

const folderOf = (entry: string) => entry.slice(0, entry.indexOf('/'))

const loadersOf = (loaders: readonly (readonly string[])[]) =>
  `{${loaders.map(([name, id]) => `${JSON.stringify(name)}:()=>import(${JSON.stringify(id)})`).join()}}`
