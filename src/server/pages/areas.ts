import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { brandStyle } from '../../shared/brand.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { accountPages, buyerPages, operatorPages } from '../../shared/pages.ts'
import type { Context } from '../context.ts'
import { cookieOf } from '../http/authentication.ts'
import { languageOf } from '../http/errors.ts'
import type { Server } from '../http/serve.ts'
import { clientFolder } from './static.ts'

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] }
}

type Area = 'buyer' | 'operator'

/** What the browser may do on these pages: own scripts only, no frame, no other host. */
const contentPolicy = (connect: readonly string[]) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The HTML shells of the buyer's and of the operator's area; each page of theirs is drawn in the browser. */
export async function mountAreas({ app }: Server, context: Context): Promise<void> {
  const operatorPath = context.config.operators.path
  const send = (area: Area) => areaSender(context, area)
  for (const page of Object.values(accountPages))
    for (const path of [`/${page}`, `/ru/${page}`]) app.get(path, send('buyer'))
  for (const page of Object.values(buyerPages)) app.get(addressOf('dashboard', page), send('buyer'))
  app.get(`/${operatorPath}`, send('operator'))
  for (const { path } of Object.values(operatorPages))
    app.get(addressOf(`${operatorPath}/dashboard`, path), send('operator'))
  // The areas say themselves that there is no such page.
  app.get('/dashboard/*', (request, reply) => send('buyer')(request, reply.code(404)))
  app.get(`/${operatorPath}/*`, (request, reply) => send('operator')(request, reply.code(404)))
}

/** An area's first page has no path of its own. */
const addressOf = (area: string, page: string) => (page ? `/${area}/${page}` : `/${area}`)

/** Answers with the shell of an area. */
export function areaSender(
  context: Context,
  area: Area,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const operatorPath = context.config.operators.path
  return async (request, reply) => {
    const { settings, demo } = await context.campaign.current()
    const hasAgreed = area === 'buyer' && cookieOf(request, 'consent') === 'yes'
    const connect = hasAgreed ? await context.analytics.areaSourcesFor(request.url) : []
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy(connect))
      .header('cache-control', 'no-store')
      .send(
        shell(area, {
          language: request.url.startsWith('/ru/') ? 'ru' : languageOf(request),
          theme: themeOf(request),
          name: settings.name,
          symbol: settings.symbol,
          brand: settings.brand,
          demo,
          operatorPath,
        }),
      )
  }
}

/** The reader's own choice; without one the system's is used. */
function themeOf(request: FastifyRequest): 'light' | 'dark' | undefined {
  const theme = cookieOf(request, 'theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

interface ShellFacts {
  language: 'en' | 'ru'
  theme: 'light' | 'dark' | undefined
  name: string
  symbol: string
  brand: CampaignSettings['brand']
  demo: boolean
  operatorPath: string
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

let manifest: Manifest | undefined

function shell(area: Area, facts: ShellFacts): string {
  manifest ??= JSON.parse(readFileSync(`${clientFolder}/.vite/manifest.json`, 'utf8')) as Manifest
  const { scripts, styles } = filesOf(manifest, `src/client/${area}/main.tsx`)
  const [main, ...preloads] = scripts
  const style = Object.entries(brandStyle(facts.brand.accent)).map(([name, value]) => `${name}:${value}`)
  const logo = facts.brand.logoUploadId && escape(facts.brand.logoUploadId)
  return `<!doctype html>
<html lang="${facts.language}"${facts.theme ? ` data-theme="${facts.theme}"` : ''}${style.length > 0 ? ` style="${style.join(';')}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="campaign-name" content="${escape(facts.name)}">
<meta name="campaign-symbol" content="${escape(facts.symbol)}">
${logo ? `<meta name="campaign-logo" content="${logo}">\n` : ''}<meta name="demo" content="${facts.demo}">
<meta name="operator-path" content="${escape(facts.operatorPath)}">
<title>${escape(facts.name)}</title>
${logo ? `<link rel="icon" href="/uploads/${logo}">` : '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'}
${fonts(facts.language)}
${styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('\n')}
${preloads.map((file) => `<link rel="modulepreload" href="/${file}">`).join('\n')}
<script type="module" src="/${main}"></script>
</head>
<body><div id="root"></div><noscript>${facts.language === 'ru' ? 'Этой части сайта нужен JavaScript.' : 'This part of the site needs JavaScript.'}</noscript></body>
</html>`
}

/** The faces above the fold, asked for before the styles name them. */
function fonts(language: 'en' | 'ru'): string {
  const script = language === 'ru' ? 'cyrillic' : 'latin'
  return ['sofia-sans-extra-condensed', 'onest']
    .map((face) => manifest?.[`src/client/styles/fonts/${face}-${script}.woff2`]?.file)
    .filter((file) => file !== undefined)
    .map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`)
    .join('\n')
}

/** The entry's script first, then what it imports, and all their styles. */
function filesOf(files: Manifest, entry: string): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const visit = (source: string) => {
    const chunk = files[source]
    if (!chunk || scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const file of chunk.css ?? []) styles.add(file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  visit(entry)
  return { scripts: [...scripts], styles: [...styles] }
}
