import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { clientFolder, mountStatic } from './static.ts'

const app = fastify()
await mountStatic(app as never)
const names = readdirSync(`${clientFolder}/assets`)
const script = names.find((name) => /^islands-.*\.js$/.test(name)) ?? ''
const get = (url: string, accept = '') => app.inject({ url, headers: { 'accept-encoding': accept } })

it('sends scripts compressed to those who take it, for ever', async () => {
  const raw = readFileSync(`${clientFolder}/assets/${script}`)
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const response = await get(`/assets/${script}`, encoding)
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers['content-type']).toContain('text/javascript')
    expect(response.headers['cache-control']).toContain('immutable')
    expect(unpack(response.rawPayload).equals(raw)).toBe(true)
  }
  const plain = await get(`/assets/${script}`)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.rawPayload.equals(raw)).toBe(true)
})

it.each([
  '/assets/../.vite/manifest.json',
  '/assets/%2e%2e/.vite/manifest.json',
  '/assets/no-such.js',
  '/.vite/manifest.json',
])('does not send %s', async (url) => expect((await get(url, 'br')).statusCode).toBe(404))

it('sends the neutral coin for a code without an icon', async () => {
  const coin = await get('/coin.svg')
  expect((await get('/crypto/nosuchcoin.svg')).body).toBe(coin.body)
  expect((await get('/crypto/btc.svg')).body).not.toBe(coin.body)
})

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** The files of a source and of everything that it may ever load. */
function loadedBy(source: string): Set<string> {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(`${clientFolder}/.vite/manifest.json`, 'utf8'),
  )
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) visit(next)
  }
  visit(source)
  return files
}

it('keeps all script that the public pages may ever load below 20 kB', async () => {
  const scripts = [...loadedBy('src/client/public/islands.tsx')].filter((file) => file.endsWith('.js'))
  const sizes = await Promise.all(
    scripts.map(async (file) => (await get(`/${file}`, 'gzip')).rawPayload.length),
  )
  expect(sizes.length).toBeGreaterThanOrEqual(8)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
})

it.each([
  ['buy-button.js', /cookie|Storage|innerHTML|insertAdjacent|document\.write|iframe|eval|include/],
  // Frames the checkout alone, and has nothing sent to any window but that one.
  ['checkout.js', /cookie|Storage|innerHTML|insertAdjacent|document\.write|eval|include|fetch|'\*'/],
])(
  'sends %s to other sites in less than 5 kB, which keeps nothing and writes no markup',
  async (file, never) => {
    const { body, headers, statusCode } = await get(`/${file}`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toContain('javascript')
    expect([headers['access-control-allow-origin'], headers['cross-origin-resource-policy']]).toEqual([
      '*',
      'cross-origin',
    ])
    expect(body.length).toBeLessThan(5_000)
    const code = body.slice(body.indexOf('*/'))
    expect(code).not.toMatch(never)
  },
)
