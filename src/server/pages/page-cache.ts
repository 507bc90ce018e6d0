import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isYoungerThan } from '../clock.ts'
import type { Crowd, LocalLimits } from '../limits/local-limits.ts'
import { createQueue } from '../queue.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const freshMs = 1_000
/** Pages × languages × themes × signed in or not, plus room; beyond it the cache is cleared. */
const keysMax = 200

/** Compressed at most once per encoding. */
export class Rendered {
  readonly html: Buffer
  #brotli: Promise<Buffer> | undefined
  #gzip: Promise<Buffer> | undefined
  constructor(html: string) {
    this.html = Buffer.from(html)
  }

  static async of(render: () => Promise<string>): Promise<Rendered> {
    return new Rendered(await render())
  }

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

/** Requests that take as long as a drawing. */
const DRAWN_REQUESTS = 10

// Rules: RIGHT-25
/**
 * Renders a page once per version of the figures, at least once a second. A request without a fresh page is
 * charged for the drawing, because there are more kinds of pages than anybody reads in a second.
 */
export function createPageCache(
  limits: Pick<LocalLimits, 'spend'>,
): (network: string, key: string, version: string, render: () => Promise<string>) => Promise<Rendered> {
  const pages = new Map<string, { at: number; version: string; page: Promise<Rendered> }>()
  return async (network, key, version, render) => {
    const known = pages.get(key)
    if (known && known.version === version && isYoungerThan(freshMs, known.at)) return known.page
    limits.spend(network, { requests: DRAWN_REQUESTS })
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
/**
 * After a page for one visitor, others such as logins get the thread for as long as that page took, at most
 * this long.
 */
const GIVEN_WAY_MAX_MS = 25

/** For one visitor; `units` is the cost relative to a usual page. */
export type DrawAlone = (
  network: string,
  units: number,
  render: () => Promise<string>,
  crowd?: Crowd,
) => Promise<Rendered>

// Rules: RIGHT-25
/**
 * Draws all pages outside of the page cache: `limits` counts each, and each gives way to other requests.
 * `unavailable` if too many wait.
 */
export function createDrawAlone(limits: Pick<LocalLimits, 'spend'>): DrawAlone {
  const turn = createQueue(ALONE_AT_ONCE, ALONE_WAITING_MAX)
  return async (network, renders, render, crowd) => {
    limits.spend(network, { renders }, crowd)
    const end = await turn()
    const begunAt = performance.now()
    try {
      return await Rendered.of(render)
    } finally {
      setTimeout(end, Math.min(performance.now() - begunAt, GIVEN_WAY_MAX_MS))
    }
  }
}
