import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { KnownRead } from '../../shared/first-reads.ts'
import type { Language } from '../../shared/languages.ts'
import { scriptOf } from '../../shared/languages.ts'
import type { OperatorPage } from '../../shared/pages.ts'
import { assert } from '../refusal.ts'
import { clientFolder } from './static.ts'

export type { Language }
export type Area = 'buyer' | 'operator'

interface Manifest {
  [source: string]: { file: string; imports?: string[] }
}

export interface Drawing {
  url: string
  locale: Language
  facts: object
  reads: readonly KnownRead[]
}

interface Renderer {
  draw(drawing: Drawing): Promise<{ html: string; title?: string }>
  pathAfterLogin(search: URLSearchParams | string | null, area?: string): string
}

const client = 'src/client'
let manifest: Manifest | undefined
let css: string | undefined
const renderers = new Map<Area, Promise<Renderer>>()

const files = () =>
  (manifest ??= JSON.parse(readFileSync(`${clientFolder}/.vite/manifest.json`, 'utf8')) as Manifest)

/** Loaded with the first page. */
export function rendererOf(area: Area): Promise<Renderer> {
  const known = renderers.get(area)
  if (known) return known
  const folder = fileURLToPath(new URL('../ssr/', pathToFileURL(`${clientFolder}/`)))
  const loading = import(pathToFileURL(`${folder}draw-${area}.js`).href) as Promise<Renderer>
  renderers.set(area, loading)
  return loading
}

/** Inlined, to save a round trip before the first paint. */
export function styles(): string {
  css ??= readFileSync(`${clientFolder}/${files()[`${client}/styles/app.css`]?.file}`, 'utf8')
  return css
}

/** In `src/client`: `mailTemplates` is `MailTemplatesPage.tsx`. */
export function operatorFileOf(page: OperatorPage): string {
  const name = `/${page.charAt(0).toUpperCase()}${page.slice(1)}Page.tsx`
  const found = Object.keys(files()).find(
    (source) => source.startsWith(`${client}/operator/`) && source.endsWith(name),
  )
  assert(found, `No file of the operators' area draws ${page}`)
  return found.slice(client.length + 1)
}

/** The entry first, then its and the page's imports. */
export function scriptsOf(area: Area, language: Language, page: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (source: string) => {
    const chunk = files()[source]
    if (!chunk || found.has(chunk.file)) return
    found.add(chunk.file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  visit(`${client}/${area}/main.tsx`)
  const messages = `locales/${language}/messages.js?in=${area}/main.tsx`
  visit(messages)
  for (const source of page) {
    visit(`${client}/${source}`)
    visit(`${messages}&of=${source}`)
  }
  return [...found]
}

/** Preloaded for the first screen; that of figures only if the page has some. */
export function fonts(language: Language, drawn: string): string[] {
  const script = scriptOf(language)
  const figures = drawn.includes('class="figures') ? ['martian-mono-latin'] : []
  return [`onest-${script}`, `sofia-sans-extra-condensed-${script}`, ...figures]
    .map((face) => files()[`${client}/styles/fonts/${face}.woff2`]?.file)
    .filter((file) => file !== undefined)
}
