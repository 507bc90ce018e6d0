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
 * Takes the schemas off the routes of `src/shared/api` in the browser's build, and marks every other constant of
 * those files as free of effects: a page that only calls carries no validator. A form imports the schema that
 * it checks by name, and gets it.
 */
function routesWithoutSchemas(): Plugin {
  return {
    name: 'routes-without-schemas',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/shared\/(api\/[a-z-]+|campaign-settings|error-codes)\.ts$/ },
      handler(code) {
        const edits: { start: number; end: number; text: string }[] = []
        const cutRoutes = (node: AnyNode): boolean => {
          if (isRouteCall(node)) {
            for (const { key, start, end } of node.arguments[0]?.properties ?? []) {
              const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
              if (serverOnly.has(key?.name ?? '')) edits.push({ start, end: end + comma, text: '' })
            }
            return true
          }
          // All of them, not only up to the first that has a route.
          return Object.values(node).flat().filter(isNode).map(cutRoutes).includes(true)
        }
        for (const init of constantsOf(this.parse(code) as unknown as AnyNode)) {
          if (cutRoutes(init) || !/^(Call|Object|Array)Expression$/.test(init.type)) continue
          edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
          edits.push({ start: init.end, end: init.end, text: '))()' })
        }
        let out = code
        for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
          out = out.slice(0, start) + text + out.slice(end)
        return { code: out, map: null }
      },
    },
  }
}

/** What the top-level constants of a file are set to. */
function constantsOf(program: AnyNode): AnyNode[] {
  return (program['body'] as AnyNode[])
    .map((statement) => (statement['declaration'] as AnyNode | null | undefined) ?? statement)
    .flatMap((statement) => (statement['declarations'] as { init: AnyNode | null }[] | undefined) ?? [])
    .map((declared) => declared.init)
    .filter(isNode)
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
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
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
