import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../shared/api/route.ts'
import { errorCodes } from '../../shared/error-codes.ts'
import type { LegacyCall } from '../legacy-api/legacy-calls.ts'
import { errorText } from '../refusal.ts'
import { networkOf } from './authentication.ts'
import { SHARED } from './costs.ts'
import { openApiOf } from './openapi.ts'
import { API_PREFIX, type Server } from './serve.ts'

/** `/api/openapi.json` and the page `/api/docs`, generated from the routes mounted before. */
export function mountDocs(
  server: Server,
  legacyCalls: readonly LegacyCall[],
  { isDemo }: { isDemo: () => Promise<boolean> },
): void {
  // Hundreds of kilobytes of text each, so they are compressed once and served with an ETag.
  const texts = new Map<string, Compressed>()
  const sendText = (request: FastifyRequest, reply: FastifyReply, name: string, make: () => string) => {
    const { text, brotli, etag } = texts.get(name) ?? compressed(make())
    texts.set(name, { text, brotli, etag })
    const headers = { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding', etag }
    if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send()
    const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
    if (takesBrotli) reply.header('content-encoding', 'br')
    // Charged as a download because of its size.
    else server.limits.spend(networkOf(request.ip), { downloads: 1 })
    return reply.headers(headers).send(takesBrotli ? brotli : text)
  }
  server.app.get('/api/openapi.json', SHARED, async (request, reply) =>
    sendText(request, reply.type('application/json; charset=utf-8'), 'openapi', () =>
      JSON.stringify(openApiOf(server.routes), null, 2),
    ),
  )
  server.app.get('/api/docs', SHARED, async (request, reply) => {
    const mark = (await isDemo()) ? demoMark : ''
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
    return sendText(request, reply, mark, () =>
      docsPage(server.routes, legacyCalls).replace('<main>', `${mark}<main>`),
    )
  })
}

type Compressed = ReturnType<typeof compressed>

const compressed = (text: string) => ({
  text,
  brotli: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
})

const demoMark = '<aside>This is a demo. Nothing is for sale, and no real money was paid.</aside>'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const whoOf = ({ audience }: Endpoint) =>
  typeof audience === 'object' ? `operator: ${audience.operator}` : audience === 'buyer' ? 'buyer' : 'anyone'

function docsPage(routes: readonly Endpoint[], legacyCalls: readonly LegacyCall[]): string {
  const groups = Map.groupBy(routes, (route) => {
    const [, first = '', second = ''] = route.path.split('/')
    return first === 'operator' ? `operator ${second}` : first
  })
  const sections = [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, list]) => `<section><h2>${escape(name)}</h2>${list.map(routeHtml).join('')}</section>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title>
<style>${style}</style><main><h1>API</h1>
<p>Money is decimal strings, times are ISO 8601 in UTC. The machine-readable form is <a href="/api/openapi.json">openapi.json</a>.
A buyer or an operator sends <code>Authorization: Bearer …</code>; what creates takes an <code>Idempotency-Key</code>.</p>
${sections.join('')}${legacyHtml(legacyCalls)}</main></html>`
}

function legacyHtml(legacyCalls: readonly LegacyCall[]): string {
  if (legacyCalls.length === 0) return ''
  const rows = legacyCalls.map(
    ({ call, who, takes, answers }) =>
      `<article><h3><code>${escape(call)}</code></h3><p><small>${escape(who)}</small></p><p>${escape(takes)}</p><p>→ ${escape(answers)}</p></article>`,
  )
  return `<section><h2>Legacy API</h2><p>Below <code>/api/controllers/</code>, for front ends that exist. Success is
<code>{"status":"success",…}</code>, failure <code>{"status":"error","message":…}</code> with the fitting status.</p>${rows.join('')}</section>`
}

function routeHtml(route: Endpoint): string {
  const errors = (route.errors ?? [])
    .map((code) => `<li><code>${code}</code> ${errorCodes[code]} – ${escape(errorText(code))}</li>`)
    .join('')
  const extras = [whoOf(route), route.idempotent && 'Idempotency-Key', route.stepUp && 'fresh login']
    .filter(Boolean)
    .join(' · ')
  return `<article><h3><code>${route.method} ${escape(API_PREFIX + route.path)}</code></h3><p>${escape(route.summary)}</p>
<p><small>${escape(extras)}</small></p>${errors && `<details><summary>Refusals</summary><ul>${errors}</ul></details>`}</article>`
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h2{margin-top:2.5rem;border-bottom:1px solid;padding-bottom:.25rem;text-transform:capitalize}h3{margin-bottom:0;font-size:1rem;overflow-wrap:anywhere}
aside{background:#fada25;color:#0c2018;padding:.375rem 1rem;text-align:center}article{margin:1rem 0}p{margin:.25rem 0}small{opacity:.7}`
