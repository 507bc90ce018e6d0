import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { Catalogues } from '../scripts/messages/catalogues.ts'
import { ImportGraph, importsIn } from '../scripts/messages/imports.ts'
import { Parts } from '../scripts/messages/parts.ts'
import { messages } from '../scripts/messages/plugin.ts'
import { languages, publicLocales } from '../src/shared/languages.ts'

const tree = fileURLToPath(new URL('../', import.meta.url))
const folders: string[] = []

/** A folder with these files, ending in `/`. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = `${mkdtempSync(join(tmpdir(), 'messages-'))}/`
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(folder + path), { recursive: true })
    writeFileSync(folder + path, text)
  }
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describe('the imports of a source', () => {
  test('are files of ours alone, by their whole paths', () => {
    const code = `
      import 'react'
      import './styles.css'
      import { b } from './b.ts'
      import C from '../c.tsx'
      export { d } from './d.ts'
      export * from './e.ts'`
    expect(importsIn('/src/a/a.tsx', code).always).toEqual([
      '/src/a/b.ts',
      '/src/c.tsx',
      '/src/a/d.ts',
      '/src/a/e.ts',
    ])
  })

  test('leave out what types alone are imported from', () => {
    const code = `
      import type { B } from './b.ts'
      import { type C } from './c.ts'
      import { type D, d } from './d.ts'
      export type { E } from './e.ts'`
    expect(importsIn('/src/a.ts', code).always).toEqual(['/src/d.ts'])
  })

  test('tell what is imported late, and where that stands in the source', () => {
    const code = `const load = () => import('./late.tsx').then((all) => all.Late), other = import('zod')`
    const { always, late } = importsIn('/src/a.ts', code)
    expect(always).toEqual([])
    expect(late.map(({ file, start, end }) => [file, code.slice(start, end)])).toEqual([
      ['/src/late.tsx', "import('./late.tsx')"],
    ])
  })

  test('tell which texts may be codes, with or without a value behind them', () => {
    const code = "z.string('required'), max(40, 'too_long 40'), min(`too_small ${min}`), 'Not a code.'"
    const { codes } = importsIn('/src/a.ts', code)
    expect(['required', 'too_long', 'too_small'].filter((each) => !codes.has(each))).toEqual([])
    expect(codes).not.toContain('Not a code.')
  })
})

describe('the graph of imports', () => {
  const folder = folderOf({
    'main.ts': "import './kit.ts'; const load = () => import('./late.ts')",
    'kit.ts': "import './main.ts'",
    'late.ts': "import './kit.ts'; import '../outside.ts'",
  })
  const names = (files: Iterable<string>) => [...files].map((file) => file.replace(folder, ''))

  test('reaches what is imported, once where files import each other', () => {
    expect(names(new ImportGraph(folder).reach([`${folder}main.ts`]))).toEqual(['main.ts', 'kit.ts'])
  })

  test('follows only the late imports that are asked for', () => {
    const graph = new ImportGraph(folder)
    const reached = graph.reach([`${folder}main.ts`], (file) => file.endsWith('late.ts'))
    expect(names(reached)).toContain('late.ts')
  })

  test('takes a file outside of its folder to import nothing', () => {
    expect(new ImportGraph(folder).of('/nowhere/outside.ts').always).toEqual([])
  })

  test('reads a file once, and anew once it is cleared', () => {
    const graph = new ImportGraph(folder)
    const file = `${folder}changing.ts`
    writeFileSync(file, '')
    expect(graph.of(file).always).toEqual([])
    writeFileSync(file, "import './kit.ts'")
    expect(graph.of(file).always).toEqual([])
    graph.clear()
    expect(graph.of(file).always).toEqual([`${folder}kit.ts`])
  })
})

describe('the parts of an entry', () => {
  const folder = folderOf({
    'main.ts': "import './kit.ts'; const pages = [import('./page.ts'), import('./small.ts')]",
    'kit.ts': '',
    'page.ts': "import './kit.ts'; import './own.ts'; const dialog = import('./dialog.ts')",
    'own.ts': '',
    'small.ts': '',
    'dialog.ts': '',
  })
  const idsOf: Record<string, string[]> = {
    'main.ts': ['m1'],
    'kit.ts': ['k1', 'k2'],
    'page.ts': ['p1', 'p2', 'p3', 'p4', 'p5'],
    'own.ts': ['p6', 'm1'],
    'small.ts': ['s1'],
    'dialog.ts': ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'],
  }
  const parts = new Parts(
    new ImportGraph(folder),
    (file) => idsOf[file.replace(folder, '')] ?? [],
    `${folder}main.ts`,
  )

  test('are the late files with enough messages of their own; of a smaller one they come with whoever imports it', () => {
    expect(parts.files).toEqual([`${folder}dialog.ts`, `${folder}page.ts`])
    expect([...parts.base].toSorted()).toEqual(['k1', 'k2', 'm1', 's1'])
    expect(parts.added(`${folder}small.ts`)).toEqual(new Set())
  })

  test('add what the entry has not, and nothing of a part that they fetch themselves', () => {
    expect([...parts.added(`${folder}page.ts`)].toSorted()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  })

  test('have every message together with the entry', () => {
    const added = parts.files.flatMap((file) => [...parts.added(file)])
    expect(new Set([...parts.base, ...added])).toEqual(parts.all)
    expect(parts.all).toEqual(new Set(Object.values(idsOf).flat()))
  })
})

describe('the catalogues', () => {
  const entry = (origin: string, id: string, text: string) =>
    `${origin ? `#. js-lingui-explicit-id\n#: ${origin}\n` : ''}msgid "${id}"\nmsgstr "${text}"\n\n`
  const head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
  const root = folderOf({
    'locales/en/public.po': `${head}${entry('src/client/ui/Field.tsx', 'Save', 'Save')}`,
    'locales/en/buyer.po': `${head}${entry('src/client/buyer/Shell.tsx', 'Sale', 'Sale')}`,
    'locales/en/operator.po': `${head}${entry('src/client/operator/Shell.tsx', 'Sale', 'Sale')}`,
    'locales/en/server.po': `${head}${entry('', 'issue.required', 'Fill this in.')}${entry('', 'error.gone', 'Gone.')}`,
    'locales/ru/public.po': `${head}${entry('src/client/ui/Field.tsx', 'Save', 'Сохранить')}`,
    'locales/ru/buyer.po': `${head}${entry('src/client/buyer/Shell.tsx', 'Sale', 'Продажа')}`,
    'locales/ru/operator.po': `${head}${entry('src/client/operator/Shell.tsx', 'Sale', 'Сбыт')}`,
    'locales/ru/server.po': `${head}${entry('', 'issue.required', '')}`,
    'locales/ar/public.po': `${head}${entry('src/client/ui/Field.tsx', 'Save', 'حفظ')}`,
  })
  const catalogues = new Catalogues(root)
  const compiled = async (...given: Parameters<Catalogues['compile']>) =>
    JSON.parse(await catalogues.compile(...given)) as unknown

  test('are the files that there are', () => {
    expect(catalogues.files.length).toBe(9)
  })

  test('know the messages of a source by its file, and what is wrong with a field by the codes in it', async () => {
    const ids = await catalogues.ids()
    expect(ids(`${root}src/client/ui/Field.tsx`, ['required', 'gone'])).toEqual(['Save', 'issue.required'])
    expect(ids(`${root}src/client/other.tsx`, [])).toEqual([])
  })

  test('have a language for messages only where it has a catalogue of each', async () => {
    expect(await catalogues.localesOf(new Set(['Save']))).toEqual(['en', 'ru', 'ar'])
    expect(await catalogues.localesOf(new Set(['Save', 'Sale']))).toEqual(['en', 'ru'])
  })

  test('compile a message from the area’s own catalogue first, and never the operators’ for others', async () => {
    expect(await compiled('ru', 'operator', new Set(['Sale', 'Save']))).toEqual({
      Sale: ['Сбыт'],
      Save: ['Сохранить'],
    })
    expect(await compiled('ru', 'public', new Set(['Sale']))).toEqual({ Sale: ['Продажа'] })
  })

  test('say it in English where a language lacks it', async () => {
    const ids = new Set(['issue.required', 'error.gone'])
    expect(await compiled('ar', 'public', ids)).toEqual({
      'issue.required': ['Fill this in.'],
      'error.gone': ['Gone.'],
    })
  })

  test('refuse a message that is not understood', async () => {
    const broken = folderOf({
      'locales/en/public.po': head,
      'locales/ru/public.po': `${head}${entry('src/a.tsx', 'Save {name}', 'Сохранить {name')}`,
    })
    await expect(new Catalogues(broken).compile('ru', 'public', new Set(['Save {name}']))).rejects.toThrow(
      'ru, Save {name}',
    )
  })
})

describe('the plugin', () => {
  type Handler = (this: unknown, code: string, id: string) => Promise<{ code: string } | undefined>
  const { resolveId, load, transform } = messages() as unknown as {
    resolveId: (id: string, importer?: string) => string | undefined
    load: (this: unknown, id: string) => Promise<{ code: string } | undefined>
    transform: { handler: Handler }
  }
  const client = `${tree}src/client/`
  const loaded = async (id: string) => (await load.call({ addWatchFile: () => undefined }, id))?.code
  const transformed = async (id: string, code: string, environment = 'client') =>
    (await transform.handler.call({ environment: { name: environment } }, code, id))?.code

  test('gives an entry a loader for each language that covers it, and every public language to the public pages', async () => {
    const buyers = resolveId('virtual:messages', `${client}buyer/main.tsx`) ?? ''
    const found = [...((await loaded(buyers)) ?? '').matchAll(/"(\w+)":\(\)=>import/g)].map(
      ([, locale]) => locale,
    )
    expect(found).toEqual(languages)
    const visitors = resolveId('virtual:messages/all', `${client}public/render.tsx`) ?? ''
    const code = (await loaded(visitors)) ?? ''
    expect(publicLocales.filter((locale) => !code.includes(`"${locale}":JSON.parse(`))).toEqual([])
  })

  test('resolves and loads nothing else', async () => {
    expect(resolveId('virtual:messages', undefined)).toBeUndefined()
    expect(resolveId('./messages.ts', `${client}buyer/main.tsx`)).toBeUndefined()
    expect(await loaded(`${client}buyer/main.tsx`)).toBeUndefined()
  })

  test('lets an import() of a file with messages wait for them, in the browser alone', async () => {
    const code =
      "const load = () => import('./order/OrderPage.tsx'), sum = () => import('../../shared/money.ts')"
    const text = await transformed(`${client}buyer/made-up.ts`, code)
    expect(text).toContain(
      `bring(import('./order/OrderPage.tsx'),"buyer/order/OrderPage"), sum = () => import('../../shared/money.ts')`,
    )
    expect(text).toMatch(/^import\{bring\}from".*\/src\/client\/i18n\.ts";/)
    expect(await transformed(`${client}buyer/made-up.ts`, code, 'ssr')).toBeUndefined()
    expect(await transformed(`${client}buyer/made-up.ts`, "import('../../shared/money.ts')")).toBeUndefined()
  })
})
