import { createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { shortBody } from './outside/outside.ts'
import { version } from './version.ts'

const ASK_EVERY_MS = 24 * 60 * 60_000
const ANSWER_MAX_MS = 15_000
const SUMS_BYTES_MAX = 16_384

/** The key that signed this release, in PEM; a source tree has none. */
const keyFile = new URL('../../release.pub', import.meta.url)

export interface NewerReleaseNeeds {
  /** Serves the newest release's `SHA256SUMS` and `SHA256SUMS.sig`; null asks nobody. */
  readonly url: string | null
  readonly log: { warn(fields: object, message: string): void }
  /** The key in PEM. */
  readonly key?: string | undefined
  readonly own?: string
}

/**
 * Only a release that the maker of this one signed. Asks at most once a day and sends nothing but the
 * request.
 */
export class NewerRelease {
  readonly #needs: NewerReleaseNeeds
  readonly #key: string | undefined
  readonly #own: string
  #askedAt = Number.NEGATIVE_INFINITY
  #newer: string | null = null

  constructor(needs: NewerReleaseNeeds) {
    this.#needs = needs
    this.#key = needs.key ?? (existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : undefined)
    this.#own = needs.own ?? version
  }

  /** The version known so far. Waits for nobody: an answer shows at the next call. */
  get known(): string | null {
    if (performance.now() - this.#askedAt > ASK_EVERY_MS) void this.ask()
    return this.#newer
  }

  /** Never throws: it logs a failure and keeps the version known before. */
  async ask(): Promise<void> {
    const { url, log } = this.#needs
    this.#askedAt = performance.now()
    if (url === null) return
    try {
      if (this.#key === undefined) throw new Error('this program has no release.pub to check signatures by')
      const sums = await bytesAt(`${url}/SHA256SUMS`)
      const signature = await bytesAt(`${url}/SHA256SUMS.sig`)
      if (!verify(null, sums, createPublicKey(this.#key), signature))
        throw new Error('SHA256SUMS is not signed by the maker of this release')
      const found = versionIn(sums.toString('utf8'))
      this.#newer = isNewer(found, this.#own) ? found : null
    } catch (error) {
      log.warn({ err: error, url }, 'newer releases are unknown')
    }
  }
}

async function bytesAt(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MAX_MS) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return shortBody(response, SUMS_BYTES_MAX)
}

/** Of the tarball `honest-presale-VERSION-PLATFORM-ARCH.tgz`. */
function versionIn(sums: string): string {
  const found =
    /^[0-9a-f]{64} {2}honest-presale-(\d+\.\d+\.\d+(?:-[\da-z.]+)?)-[a-z]+\d*-[a-z]+\d+\.tgz$/m.exec(sums)
  if (!found?.[1]) throw new Error('SHA256SUMS names no release')
  return found[1]
}

/** By semantic versioning: a pre-release (`0.2.0-rc.1`) comes before its release. */
export function isNewer(one: string, than: string): boolean {
  const [core = '', pre] = one.split(/-(.*)/s)
  const [thanCore = '', thanPre] = than.split(/-(.*)/s)
  const byCore = compareParts(core, thanCore)
  if (byCore !== 0) return byCore > 0
  if (pre === undefined || thanPre === undefined) return pre === undefined && thanPre !== undefined
  return compareParts(pre, thanPre) > 0
}

const compareParts = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })
