import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { factsOf, isLanguage } from '../../shared/languages.ts'
import { SHARED } from '../http/costs.ts'

export const clientFolder = fileURLToPath(new URL('../../../dist/client', import.meta.url))
const YEAR_SECONDS = 31_536_000
const DAY_SECONDS = 86_400
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Caches hashed assets forever, coin icons for a day; a missing icon is a neutral coin. */
export async function mountStatic(app: FastifyInstance): Promise<void> {
  if (!existsSync(clientFolder)) return
  await app.register(fastifyStatic, {
    root: clientFolder,
    index: false,
    wildcard: false,
    dotfiles: 'deny',
    serve: false,
  })
  const compressed = createCompressed(`${clientFolder}/assets`)
  app.get<{ Params: { '*': string } }>('/assets/*', SHARED, async (request, reply) => {
    const name = request.params['*']
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    const body = encoding && (await compressed(name, encoding))
    void reply.header('vary', 'Accept-Encoding')
    if (!body) return reply.sendFile(`assets/${name}`, { maxAge: YEAR_SECONDS * 1000, immutable: true })
    return reply
      .type(name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8')
      .header('content-encoding', encoding)
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .send(body)
  })
  app.get<{ Params: { file: string } }>('/crypto/:file', SHARED, (request, reply) => {
    const { file } = request.params
    if (!/^[\w-]{1,40}\.svg$/.test(file)) return reply.callNotFound()
    if (existsSync(`${clientFolder}/crypto/${file}`))
      return reply.sendFile(`crypto/${file}`, { maxAge: DAY_SECONDS * 1000 })
    // The fallback must not be cached under the missing file's name.
    return reply.header('cache-control', 'no-cache').sendFile('coin.svg', { cacheControl: false })
  })
  app.get<{ Params: { file: string } }>('/guide/:file', SHARED, (request, reply) =>
    isPicture(request.params.file)
      ? reply.sendFile(`guide/${request.params.file}`, { maxAge: DAY_SECONDS * 1000 })
      : reply.callNotFound(),
  )
  // A new version takes over at once.
  app.get('/service-worker.js', SHARED, (_request, reply) =>
    reply.sendFile('service-worker.js', { maxAge: 0 }),
  )
  // Loaded by other sites.
  for (const file of ['buy-button.js', 'checkout.js'])
    app.get(`/${file}`, SHARED, (_request, reply) =>
      reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        .sendFile(file, { maxAge: 3_600_000 }),
    )
  for (const file of ['favicon.svg', 'favicon.ico', 'apple-touch-icon.png', 'coin.svg'])
    app.get(`/${file}`, SHARED, (_request, reply) => reply.sendFile(file, { maxAge: DAY_SECONDS * 1000 }))
}

function isPicture(file: string): boolean {
  const [, locale = ''] = /^[a-z]+-([\w-]+)\.webp$/.exec(file) ?? []
  return isLanguage(locale) && factsOf(locale).pictures === true
}

/** Compressed once per encoding: names change with the content. Serves only names in the folder. */
function createCompressed(
  folder: string,
): (name: string, encoding: 'br' | 'gzip') => Promise<Buffer | undefined> {
  const names = new Set(
    existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name)) : [],
  )
  const bodies = new Map<string, Promise<Buffer>>()
  return async (name, encoding) => {
    if (!names.has(name)) return undefined
    const key = `${encoding} ${name}`
    const known = bodies.get(key)
    if (known) return known
    const body = readFile(`${folder}/${name}`).then((raw) =>
      encoding === 'br'
        ? compressBrotli(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
        : compressGzip(raw),
    )
    bodies.set(key, body)
    body.catch(() => bodies.delete(key))
    return body
  }
}
