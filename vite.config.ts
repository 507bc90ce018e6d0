import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Only our own components: Lingui's macros first, then React Compiler, in one Babel pass. */
const macros = () =>
  babel({
    include: /\/src\/client\/.*\.tsx?$/,
    plugins: ['@lingui/babel-plugin-lingui-macro', ['babel-plugin-react-compiler', { target: '19' }]],
  })

/** Some of the square icons are traced pictures of up to 70 kB; those coins show the neutral coin instead. */
const heaviestIcon = 8_000

/**
 * Emits `crypto/{code}.svg` for every coin that the icon packages draw in colour. The round CC0 set comes
 * first; the square MIT set fills the gaps, cut to a circle so that both look alike.
 */
function coinIcons(): Plugin {
  return {
    name: 'coin-icons',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const round = `${root}node_modules/cryptocurrency-icons/svg/color/`
      const seen = new Set<string>()
      const emit = (code: string, source: string) => {
        if (seen.has(code)) return
        seen.add(code)
        this.emitFile({ type: 'asset', fileName: `crypto/${code}.svg`, source })
      }
      for (const file of readdirSync(round)) {
        if (/^[a-z0-9]+\.svg$/.test(file)) emit(file.slice(0, -4), readFileSync(round + file, 'utf8'))
      }
      const square = `${root}node_modules/@web3icons/core/dist/svgs/tokens/background/`
      for (const file of readdirSync(square)) {
        const code = /^([A-Z0-9]+)\.svg\.js$/.exec(file)?.[1]?.toLowerCase()
        if (!code || seen.has(code)) continue
        const drawn = ((await import(pathToFileURL(square + file).href)) as { default: string }).default
        if (drawn.length <= heaviestIcon) emit(code, cutToCircle(drawn))
      }
    },
  }
}

/** What the server and the documentation need of a route; the browser calls it by method and path alone. */
const serverOnly = new Set(['summary', 'params', 'query', 'body', 'reply', 'errors'])

/**
 * A page that only calls carries no validator. In the browser's build each file of `src/shared/api` becomes several
 * modules with the same text, of which the bundler keeps what is imported: one for each constant and each set of routes,
 * whose schemas are cut off, and `?schemas` for the rest. Were it one module, a schema that a single form imports would
 * lie, with the validator, in the chunk that every page loads for the routes beside it.
 */
function routesWithoutSchemas(): Plugin {
  return {
    name: 'routes-without-schemas',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/shared\/(api\/[a-z-]+|campaign-settings|error-codes)\.ts(\?\w+)?$/ },
      handler(code, id) {
        const { body } = this.parse(code) as unknown as { body: AnyNode[] }
        const part = id.includes('?') ? withoutSchemas(code, body) : inParts(code, body, id)
        return { code: part, map: null, moduleSideEffects: false }
      },
    },
  }
}

/** Cuts the schemas off the routes and marks every constant as free of effects, so that unused ones go. */
function withoutSchemas(code: string, body: AnyNode[]): string {
  const edits: { start: number; end: number; text: string }[] = []
  for (const { value } of declaredIn(body)) {
    for (const { key, start, end } of routesIn(value).flatMap(
      (route) => route.arguments[0]?.properties ?? [],
    )) {
      const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
      if (serverOnly.has(key?.name ?? '')) edits.push({ start, end: end + comma, text: '' })
    }
    if (!/^(Call|Object|Array)Expression$/.test(value.type)) continue
    edits.push({ start: value.start, end: value.start, text: '/* @__PURE__ */ (() => (' })
    edits.push({ start: value.end, end: value.end, text: '))()' })
  }
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((out, { start, end, text }) => out.slice(0, start) + text + out.slice(end), code)
}

/** Says of each export which part shows it. What names an import, or something that does, may be a schema. */
function inParts(code: string, body: AnyNode[], id: string): string {
  const schemas = new Set(body.flatMap(importedBy).filter((name) => name !== 'route'))
  const exports: string[] = []
  for (const { name, value, isExported } of declaredIn(body)) {
    const words = code.slice(value.start, value.end).match(/\w+/g) ?? []
    const isSchema = routesIn(value).length === 0 && words.some((word) => schemas.has(word))
    if (isSchema) schemas.add(name)
    if (isExported) exports.push(`export { ${name} } from '${id}?${isSchema ? 'schemas' : name}'`)
  }
  return exports.join('\n')
}

/** The top-level constants and functions of a file. */
function declaredIn(body: AnyNode[]): { name: string; value: AnyNode; isExported: boolean }[] {
  return body.flatMap((statement) => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? (statement['declaration'] as AnyNode | null) : statement
    const declared = (declaration?.['declarations'] ?? [declaration]) as (AnyNode | null)[]
    return declared.filter(isNode).flatMap((one) => {
      const { name } = (one['id'] ?? {}) as { name?: string }
      return name ? [{ name, value: (one['init'] as AnyNode | null | undefined) ?? one, isExported }] : []
    })
  })
}

const importedBy = (statement: AnyNode): string[] =>
  statement.type === 'ImportDeclaration'
    ? (statement['specifiers'] as { local: { name: string } }[]).map(({ local }) => local.name)
    : []

/** Every call of `route` in an expression. */
function routesIn(node: AnyNode): RouteCall[] {
  return isRouteCall(node) ? [node] : Object.values(node).flat().filter(isNode).flatMap(routesIn)
}

interface AnyNode {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

interface RouteCall extends AnyNode {
  arguments: { properties?: (AnyNode & { key?: { name?: string } })[] }[]
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string'

const isRouteCall = (node: AnyNode): node is RouteCall =>
  node.type === 'CallExpression' && (node['callee'] as { name?: string }).name === 'route'

function cutToCircle(svg: string) {
  const body = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>')).replace(/\s*\n\s*/g, '')
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">' +
    '<clipPath id="round"><circle cx="12" cy="12" r="12"/></clipPath>' +
    `<g clip-path="url(#round)">${body}</g></svg>`
  )
}

export default defineConfig({
  root,
  appType: 'mpa',
  publicDir: 'src/client/assets',
  plugins: [react(), macros(), lingui(), tailwindcss(), routesWithoutSchemas(), coinIcons()],
  builder: {},
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // That Babel takes most of the time is known, and no news to whoever starts this for the first time.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        rolldownOptions: {
          input: {
            buyer: 'src/client/buyer/main.tsx',
            operator: 'src/client/operator/main.tsx',
            islands: 'src/client/public/islands.tsx',
            app: 'src/client/styles/app.css',
            public: 'src/client/styles/public.css',
          },
        },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        ssr: true,
        outDir: 'dist/ssr',
        emptyOutDir: true,
        copyPublicDir: false,
        emitAssets: false,
        rolldownOptions: {
          input: 'src/client/public/render.tsx',
          output: { entryFileNames: 'render.js' },
        },
      },
    },
  },
})
