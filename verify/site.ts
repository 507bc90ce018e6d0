import { LogFault, messageOf, Unchecked } from './fault.ts'
import { pathOf, type Tile } from './tiles.ts'
import { TILE_WIDTH } from './tree.ts'

const TRIES = 5
const FIRST_PAUSE_MS = 250
const PAUSE_MAX_MS = 10_000
const ANSWER_WITHIN_MS = 30_000
const LONG_ANSWER_WITHIN_MS = 600_000

/** Network and clock; replaced in tests. */
export interface Reach {
  fetch(url: string, init: { signal: AbortSignal; cache: 'no-store' | 'default' }): Promise<Response>
  wait(ms: number): Promise<void>
}

export const ownReach: Reach = {
  fetch: (url, init) => fetch(url, init),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** A failure that a retry may fix. */
class Passing extends Error {
  readonly afterMs: number

  constructor(message: string, afterMs = 0) {
    super(message)
    this.afterMs = afterMs
  }
}

/** A site with a journal, as files over HTTP. */
export class Site {
  readonly url: string
  readonly reach: Reach
  /** Appended to tile paths, because caches keep an earlier log's tiles forever. */
  private query = ''

  constructor(url: string, reach: Reach) {
    this.url = url.replace(/\/+$/, '')
    this.reach = reach
  }

  /** Selects the log whose tiles are read. */
  follow(origin: string): void {
    const [, number] = /\/journal\/(\d+)$/.exec(origin) ?? []
    this.query = number === undefined ? '' : `?log=${number}`
  }

  /** The bytes at an immutable path. A log that lacks what its checkpoint promises is at fault. */
  async tile(tile: Tile, bytesMax: number): Promise<Uint8Array> {
    const found = await this.read(`journal/${pathOf(tile)}${this.query}`, bytesMax, 'default')
    if (found !== undefined) return found
    // A log may delete a partial tile once the full one exists.
    const full = { ...tile, width: TILE_WIDTH }
    const instead =
      tile.width < TILE_WIDTH
        ? await this.read(`journal/${pathOf(full)}${this.query}`, bytesMax, 'default')
        : undefined
    if (instead !== undefined) return instead
    throw new LogFault(`The log does not serve ${pathOf(tile)}, which its checkpoint says is there.`)
  }

  async has(path: string): Promise<boolean> {
    return (await this.read(path, 200_000, 'no-store')) !== undefined
  }

  /** The text at a path that the log promises. */
  async promised(path: string, bytesMax: number): Promise<string> {
    const bytes = await this.read(path, bytesMax, 'no-store')
    if (bytes === undefined)
      throw new LogFault(`The log does not serve ${path}, which its entries say is there.`)
    return new TextDecoder().decode(bytes)
  }

  async text(path: string, bytesMax: number): Promise<string> {
    const bytes = await this.read(path, bytesMax, 'no-store')
    if (bytes === undefined) throw new Unchecked(`${this.url}/${path} is not there.`)
    return new TextDecoder().decode(bytes)
  }

  /** The text at a path, piece by piece; undefined if the site has none. */
  async pieces(path: string): Promise<AsyncIterable<string> | undefined> {
    const url = `${this.url}/${path}`
    const response = await this.tried(url, () => this.respond(url, 'no-store', LONG_ANSWER_WITHIN_MS))
    return response && piecesOf(response, url)
  }

  /** Undefined if the site has none. */
  private async read(
    path: string,
    bytesMax: number,
    cache: 'no-store' | 'default',
  ): Promise<Uint8Array | undefined> {
    const url = `${this.url}/${path}`
    return this.tried(url, async () => {
      const response = await this.respond(url, cache, ANSWER_WITHIN_MS)
      return response && bodyOf(response, bytesMax)
    })
  }

  private async tried<T>(url: string, ask: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof Unchecked || error instanceof LogFault) throw error
        if (tries === TRIES) throw new Unchecked(`${url} did not answer: ${messageOf(error)}`)
        const pause = FIRST_PAUSE_MS * 2 ** (tries - 1)
        await this.reach.wait(
          Math.min(PAUSE_MAX_MS, Math.max(pause, error instanceof Passing ? error.afterMs : 0)),
        )
      }
    }
  }

  private async respond(
    url: string,
    cache: 'no-store' | 'default',
    withinMs: number,
  ): Promise<Response | undefined> {
    const response = await this.reach.fetch(url, { signal: AbortSignal.timeout(withinMs), cache })
    const { status } = response
    if (status === 200) return response
    await response.body?.cancel()
    if (status === 404 || status === 410) return undefined
    if (status === 408 || status === 429 || status >= 500) {
      const seconds = Number(response.headers.get('retry-after'))
      throw new Passing(`status ${status}`, Number.isFinite(seconds) ? seconds * 1000 : 0)
    }
    throw new Unchecked(`${url} answered with the status ${status}.`)
  }
}

async function* piecesOf(response: Response, url: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const part of response.body ?? []) yield decoder.decode(part, { stream: true })
  } catch (error) {
    throw new Unchecked(`${url} broke off: ${messageOf(error)}`)
  }
  yield decoder.decode()
}

async function bodyOf(response: Response, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > bytesMax) throw new LogFault(`${response.url} is longer than ${bytesMax} bytes.`)
    parts.push(part)
  }
  if (parts.length === 1) return parts[0] as Uint8Array
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
