import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'
import { messages } from './scripts/messages/plugin.ts'
// @ts-expect-error: plain JavaScript, which runs before there is anything else.
import { SERVER_OUTPUT } from './scripts/server-output.mjs'
import { parseCatalogue } from './src/server/texts.ts'
import { languages, localPath, publicLocales } from './src/shared/languages.ts'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Only our own components: Lingui's macros first, then React Compiler, in one Babel pass. */
const macros = () =>
  babel({
    include: /\/src\/client\/.*\.tsx?$/,
    plugins: ['@lingui/babel-plugin-lingui-macro', ['babel-plugin-react-compiler', { target: '19' }]],
  })

/** What stands for Lingui wherever it is imported, by a macro too. */
const ownLingui: Readonly<Record<string, string>> = {
  '@lingui/core': `${root}src/client/lingui-core.ts`,
  '@lingui/react': `${root}src/client/lingui.tsx`,
}

/** Gives each of our own files the messages that show values as they were written. */
const valuesAsWritten = (): Plugin => ({
  name: 'values-as-written',
  enforce: 'pre',
  resolveId: (source, importer) => (ownLingui[source] === importer ? undefined : ownLingui[source]),
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

function cutToCircle(svg: string) {
  const body = svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>')).replace(/\s*\n\s*/g, '')
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none">' +
    '<clipPath id="round"><circle cx="12" cy="12" r="12"/></clipPath>' +
    `<g clip-path="url(#round)">${body}</g></svg>`
  )
}

/** Emits the service worker, and the scripts that stand in pages of other sites, small, each below its own words on how to use it. */
function scriptsBesidePages(): Plugin {
  return {
    name: 'scripts-beside-pages',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle() {
      for (const fileName of readdirSync(`${root}src/client/embed`)) {
        const written = readFileSync(`${root}src/client/embed/${fileName}`, 'utf8')
        const head = written.slice(0, written.indexOf('*/') + 3)
        const { code } = minifySync(fileName, filled(written, textsIn(written)))
        this.emitFile({ type: 'asset', fileName, source: `${head}${code}\n` })
      }
      const pages = Object.fromEntries(publicLocales.map((locale) => [locale, localPath(locale, '/offline')]))
      const worker = readFileSync(`${root}src/client/service-worker.js`, 'utf8')
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: filled(worker, pages) })
    },
  }
}

/** The texts of `locales/CODE/server.po` that a script names, by language. */
function textsIn(script: string): object {
  const ids = new Set([...script.matchAll(/'(embed\.\w+)'/g)].map(([, id = '']) => id))
  const texts = languages.map((language) => {
    const catalogue = parseCatalogue(readFileSync(`${root}locales/${language}/server.po`, 'utf8'))
    return [language, Object.fromEntries([...ids].map((id) => [id, catalogue.get(id)]))]
  })
  return Object.fromEntries(texts)
}

/** The script with what differs by language in its place. */
function filled(script: string, byLanguage: object): string {
  const place = "JSON.parse('{}')"
  if (!script.includes(place))
    throw new Error(`a script lacks its place for what differs by language: ${place}`)
  return script.replace(place, () => JSON.stringify(byLanguage))
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Makes one file of a build, which loads nothing: its policy allows its own script and style alone, and to ask nodes. */
function oneFile(fileName: string): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'claim',
    generateBundle(_options, bundle) {
      const parts = { script: '', style: '' }
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') parts.script += part.code.replaceAll('</script', '<\\/script')
        else parts.style += String(part.source)
        delete bundle[name]
      }
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(parts.script)}`,
        `style-src ${hashOf(parts.style)}`,
        "style-src-attr 'unsafe-inline'",
        'connect-src http: https:',
        "base-uri 'none'",
        "form-action 'none'",
      ]
      const lines = [
        '<!doctype html>',
        '<html lang="en">',
        '<meta charset="utf-8">',
        `<meta http-equiv="content-security-policy" content="${policy.join('; ')}">`,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<title>Claim</title>',
        `<style>${parts.style}</style>`,
        '<div id="root"></div>',
        `<script type="module">${parts.script}</script>`,
        '</html>',
      ]
      this.emitFile({ type: 'asset', fileName, source: `${lines.join('\n')}\n` })
    },
  }
}

/**
 * What nearly every page of both areas stands on is one file, and so is what each area's pages stand on besides: in thirty
 * small ones it weighs a tenth more, and a phone asks thirty times. What few pages need stays in files of its own. The public
 * pages' islands share with the areas only what fetches other files, what counts a visit, what the theme's button goes through and
 * what reckons with amounts. A group takes along what its files need, as far as no group before it has taken that.
 */
const groups = [
  {
    name: 'base',
    test: /rolldown\/runtime|vite\/preload-helper|\/src\/(?:client\/count-visit|shared\/(?:analytics-beacons|direction|levels|money|theme-round|typed-decimal))\.ts$/,
  },
  { name: 'islands-kit', test: /\/src\/client\/public\/(?:figures|islands\/(?:exact|page))\.ts$/ },
  {
    name: 'area',
    test: new RegExp(
      [
        '/node_modules/@tanstack/',
        '/lucide-react/dist/esm/icons/(?:arrow-left|arrow-right|check|coins|copy|download|log-out)\\.',
        '/src/client/(?:api|document-facts|errors|paths)\\.ts$',
        '/src/client/area/(?:AreaShell|BrokenPage|call|campaign|document-title|keyboard|Loaded|LocalText|on-another-page|page-start)\\.',
        '/src/client/area/(?:live-stream|order-words|Page|query-client|reading)\\.',
        '/src/client/area/(?:refused-form|save-file|start-area|StepUp|TextField|use-change|use-form)\\.',
        '/src/client/ui/(?:clock|CoinIcon|CopyButton|Dialog|Field|network-names|numbers)\\.',
        '/src/client/ui/(?:ProgressBar|states|Status)\\.',
        '/src/shared/api/(?!.*-(?:schemas|inputs)\\.)(?:account|analytics|campaign|content|currencies|delivery|giveaways)\\.ts$',
        '/src/shared/api/(?!.*-(?:schemas|inputs)\\.)(?:escrows|holdings|live|orders|own-access|payments|referral|route)\\.ts$',
        '/src/shared/(?:languages|networks|order-states|pages)\\.ts$',
      ].join('|'),
    ),
  },
  {
    name: 'buyer-kit',
    test: /\/lucide-react\/dist\/esm\/icons\/external-link\.|\/src\/shared\/(?:payment-states|to-send)\.ts$|\/src\/client\/buyer\/(?:AccountMenu|Consent|late-rules|online|OrderStateBadge|pages|queries|router|session|Shell|touched|order\/(?:sent|settlement|TransactionLink))\.tsx?$/,
  },
  // What a few pages of both areas use: in no group of its own it would bring the buyer the operators' files. An order's page, the heaviest
  // one, does without it.
  {
    name: 'few',
    test: new RegExp(
      [
        '/lucide-react/dist/esm/icons/key-round\\.',
        '/src/shared/csv\\.',
        '/src/client/area/(?:countries|InItsPlace|passkey|PasswordField|save-csv)\\.',
        '/src/client/ui/(?:CallList|call-data|PasswordField)\\.',
      ].join('|'),
    ),
  },
  // Not the entry: it waits for the first page, which waits for this file.
  { name: 'operator-kit', test: /\/src\/client\/operator\/(?!main\.)/, tags: ['$initial' as const] },
  {
    name: 'tables',
    test: /\/src\/client\/(?:area\/DataTable|ui\/(?:DecimalInput|Pagination|Table))\.tsx?$/,
  },
  // What every widget of the library stands on, then what stands over a page, then what is chosen from a list.
  {
    name: 'widgets',
    test: new RegExp(
      [
        '/@base-ui/utils/(?:addEventListener|shadowDom|useControlled|useOnMount|useTimeout|useValueAsRef|visuallyHidden)\\.',
        '/@base-ui/react/internals/(?:createBaseUIEventDetails|stateAttributesMapping|useOpenChangeComplete|useRenderElement)\\.',
        '/@base-ui/react/internals/(?:reasons|reason-parts|useTransitionStatus|useValueChanged|use-button/useButton)\\.',
        '/@base-ui/react/internals/composite/(?:composite|item/useCompositeItem|list/(?:CompositeList|useCompositeListItem))\\.',
        '/@base-ui/react/utils/getHighlightReason\\.',
        '/@base-ui/react/internals/(?:field-register-control/useRegisterFieldControl|labelable-provider/useLabelableId)\\.',
      ].join('|'),
    ),
  },
  {
    name: 'overlay',
    test: /\/@base-ui\/(?:utils\/useScrollLock|react\/floating-ui-react\/components\/Floating(?:FocusManager|Portal|RootStore)|react\/utils\/(?:InternalBackdrop|popups\/(?:popupStoreUtils|store)))\./,
  },
  { name: 'select', test: /\/src\/client\/ui\/Select\.tsx$/ },
  { name: 'choice', test: /\/src\/client\/ui\/Choice\.tsx$/ },
  { name: 'rules', test: /\/src\/(?:client\/area\/rules|shared\/api\/account-inputs)\.ts$/ },
  {
    name: 'operator-lists',
    test: /\/src\/(?:shared\/api\/audit|client\/(?:ui\/ShortCode|area\/(?:ColumnChooser|Filters|List|RowActions|SearchField|stream-of|url-state)|operator\/(?:ExportLink|LedgerTable|Notes|OrderLink|order-events|order-status|payment-names|orders\/(?:DecideOrder|OrderPage))))\.tsx?$/,
  },
].map((group, index, all) => ({ ...group, priority: all.length - index }))

export default defineConfig({
  root,
  appType: 'mpa',
  publicDir: 'src/client/assets',
  resolve: { alias: [{ find: /^zod$/, replacement: `${root}src/client/zod.ts` }] },
  plugins: [
    react(),
    valuesAsWritten(),
    macros(),
    messages(),
    tailwindcss(),
    coinIcons(),
    scriptsBesidePages(),
    oneFile('claim.html'),
  ],
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
          output: { codeSplitting: { groups } },
        },
      },
    },
    claim: {
      consumer: 'client',
      build: {
        outDir: 'dist/claim',
        emptyOutDir: true,
        copyPublicDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: { claim: 'src/client/claim/main.tsx' },
          output: { codeSplitting: false },
          // All of it stands in the one file.
          checks: { ineffectiveDynamicImport: false },
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
          input: {
            render: 'src/client/public/render.tsx',
            'draw-buyer': 'src/client/buyer/draw.tsx',
            'draw-operator': 'src/client/operator/draw.tsx',
          },
          output: { entryFileNames: '[name].js', ...SERVER_OUTPUT },
          // What the browser fetches late is at hand here.
          checks: { ineffectiveDynamicImport: false },
        },
      },
    },
  },
})
