import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isYoungerThan } from '../clock.ts'
import type { LocalLimits } from '../limits/local-limits.ts'
import { createQueue } from '../queue.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** As old as a page may be when it is sent. */
const freshMs = 1_000
/** Pages × languages × themes × signed in or not, with room; more than this at once starts over. */
const keysMax = 200

/** A rendered page, compressed at most once for each encoding that anyone asks for. */
export class Rendered {
  readonly html: Buffer
  #brotli: Promise<Buffer> | undefined
  #gzip: Promise<Buffer> | undefined
  constructor(html: string) {
    this.html = Buffer.from(html)
  }

  /** What drawing reads belongs to the page, not to the request that it is drawn for. */
  static async of(render: () => Promise<string>): Promise<Rendered> {
    return new Rendered(await render())
  }

  /** The body in the best encoding that the client takes. */
  async encoded(accept: string): Promise<{ body: Buffer; encoding: 'br' | 'gzip' | undefined }> {
    if (/\bbr\b/.test(accept)) {
      this.#brotli ??= compressBrotli(this.html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      return { body: await this.#brotli, encoding: 'br' }
    }
    if (/\bgzip\b/.test(accept)) {
      this.#gzip ??= compressGzip(this.html)
      return { body: await this.#gzip, encoding: 'gzip' }
    }
    return { body: this.html, encoding: undefined }
  }
}

/**
 * Renders a page once for each reading of the figures (`version`), and at least once a second, however many ask: a page
 * is never older than the reading it shows.
 */
export function createPageCache(): (
  key: string,
  version: string,
  render: () => Promise<string>,
) => Promise<Rendered> {
  const pages = new Map<string, { at: number; version: string; page: Promise<Rendered> }>()
  return (key, version, render) => {
    const known = pages.get(key)
    if (known && known.version === version && isYoungerThan(freshMs, known.at)) return known.page
    if (pages.size >= keysMax) pages.clear()
    const page = Rendered.of(render)
    const mine = { at: Date.now(), version, page }
    pages.set(key, mine)
    page.catch(() => {
      if (pages.get(key) === mine) pages.delete(key)
    })
    return page
  }
}

const ALONE_AT_ONCE = 2
const ALONE_WAITING_MAX = 100
/** After a page for one visitor the thread is left to others, such as logins, for as long as the page took, at most so long. */
const GIVEN_WAY_MAX_MS = 25

/** Draws a page for one visitor alone; `units` is its cost in pages of the usual size. */
export type DrawAlone = (network: string, units: number, render: () => Promise<string>) => Promise<Rendered>

// Rules: RIGHT-25
/**
 * All that is drawn outside of the page cache is drawn by this: `limits` counts it, and each page gives way to other requests before the next one.
 * Refuses as `limits` does, and `unavailable` where too many wait.
 */
export function createDrawAlone(limits: Pick<LocalLimits, 'spend'>): DrawAlone {
  const turn = createQueue(ALONE_AT_ONCE, ALONE_WAITING_MAX)
  return async (network, renders, render) => {
    limits.spend(network, { renders })
    const end = await turn()
    const begunAt = performance.now()
    try {
      return await Rendered.of(render)
    } finally {
      setTimeout(end, Math.min(performance.now() - begunAt, GIVEN_WAY_MAX_MS))
    }
  }
}
