import { refuse } from '../refusal.ts'
import type { Rate } from './limits.ts'
import { OpenCounts } from './open-counts.ts'
import { RESERVED, widthsOf } from './widths.ts'

// Rules: RIGHT-25, DELIVER-35
/** What costs less than the row that would count it: each process counts by itself, and forgets when it ends. */
export const localRates = {
  /** Prices of a purchase, worked out while somebody types. */
  preview_network: { burst: 600, perSeconds: 60 },
  preview_all: { burst: 30_000, perSeconds: 60 },
  /** Orders: each is a row that stays, and most use up an address. */
  order_network: { burst: 300, perSeconds: 600 },
  order_all: { burst: 20_000, perSeconds: 60 },
  /** Files of public rows: each download sends megabytes. */
  download_network: { burst: 60, perSeconds: 600 },
  download_all: { burst: 2_000, perSeconds: 600 },
  /** Receipts drawn as PDF: some ten milliseconds of the one thread each. */
  receipt_network: { burst: 60, perSeconds: 600 },
  receipt_all: { burst: 600, perSeconds: 60 },
  /** Passwords judged while somebody types one: milliseconds of the one thread each. */
  judging_network: { burst: 60, perSeconds: 60 },
  judging_all: { burst: 600, perSeconds: 60 },
  /** What an address can claim, looked up without an account: each asks a node. */
  claims_network: { burst: 30, perSeconds: 60 },
  claims_all: { burst: 300, perSeconds: 60 },
  /** Pages that are drawn for one visitor alone, in units of some 15 milliseconds of the one thread. */
  drawing_network: { burst: 180, perSeconds: 60 },
  drawing_all: { burst: 1_800, perSeconds: 60 },
  /** Friends' links that are opened: codes can't be guessed, and each costs a look-up. */
  referral_network: { burst: 30, perSeconds: 60 },
  referral_all: { burst: 3_000, perSeconds: 60 },
  /** Orders that frames on other sites follow, each asking every few seconds. */
  framed_network: { burst: 240, perSeconds: 60 },
  framed_all: { burst: 12_000, perSeconds: 60 },
  /** Checkpoints to cosign: a log asks once or twice a second; each writes a row and a file. */
  witness_network: { burst: 300, perSeconds: 60 },
  witness_all: { burst: 3_000, perSeconds: 60 },
} as const satisfies Record<string, Rate>
export type LocalRateName = keyof typeof localRates

/** What a network, and all of them together, may ask for. */
export type LocalLimited = {
  [Name in LocalRateName]: Name extends `${infer What}_network` ? What : never
}[LocalRateName]

/** Files that are sent at once: an office of browsers, each with some pictures; a reader who stops holds some 400 kB. */
const FILES = { name: 'files', network: 60, all: 1_000 } as const

/** So many subjects are known at once; when there are more, those that have flowed back are forgotten. */
const SUBJECTS_MAX = 100_000

/** Limits of one process on what anybody may ask for; the same rule as `Limits`, without a database. */
export class LocalLimits {
  readonly #isOn: boolean
  readonly #freeAtMs = new Map<string, number>()
  /** What all networks took together: apart, so that no flood of networks makes it forgotten. */
  readonly #allFreeAtMs = new Map<LocalRateName, number>()
  readonly #files = new OpenCounts(FILES)

  constructor({ isOn }: { readonly isOn: boolean }) {
    this.#isOn = isOn
  }

  // Rules: RIGHT-25
  /**
   * Takes one, or so many `units`, for the network, and for all of them, of which a quarter is kept for networks that have taken nothing lately. Refuses
   * `too_many_requests` with `retryAfterSeconds` and `limit`.
   */
  takeBoth(what: LocalLimited, network: string, units = 1, nowMs = Date.now()): void {
    if (!this.#isOn) return
    const isFirst = this.take(`${what}_network`, network, units, nowMs)
    const name = `${what}_all` as const
    const freeAt = freeAfter(name, this.#allFreeAtMs.get(name), units, isFirst ? 0 : RESERVED, nowMs)
    this.#allFreeAtMs.set(name, freeAt)
  }

  /** Takes for the network, by each of its widths; nothing where one of them has too little. Returns whether nobody as near took one lately. */
  take(name: LocalRateName, network: string, units = 1, nowMs = Date.now()): boolean {
    if (!this.#isOn) return true
    const taken = widthsOf(network).map(({ subject, times }) => {
      const key = `${name}:${subject}`
      const before = this.#freeAtMs.get(key)
      return {
        key,
        isFirst: (before ?? 0) <= nowMs,
        freeAt: freeAfter(name, before, units / times, 0, nowMs),
      }
    })
    for (const { key, freeAt } of taken) {
      if (this.#freeAtMs.size >= SUBJECTS_MAX && !this.#freeAtMs.has(key)) this.#forget(nowMs)
      this.#freeAtMs.set(key, freeAt)
    }
    return taken.at(-1)?.isFirst ?? true
  }

  /** Counts a file that is being sent until what is returned is called. Refuses `too_many_requests`. */
  openFile(network: string): () => void {
    if (this.#isOn) this.#files.refuseWhenFull(network)
    return this.#files.open(network)
  }

  #forget(nowMs: number): void {
    for (const [key, freeAt] of this.#freeAtMs) if (freeAt <= nowMs) this.#freeAtMs.delete(key)
    // A flood from more networks than are counted leaves the bound on all of them.
    if (this.#freeAtMs.size >= SUBJECTS_MAX) this.#freeAtMs.clear()
  }
}

/** When everything has flowed back once so many units are taken. Refuses where less than the share `reserved` of the burst would be left. */
function freeAfter(
  name: LocalRateName,
  freeAtMs: number | undefined,
  units: number,
  reserved: number,
  nowMs: number,
): number {
  const { burst, perSeconds } = localRates[name]
  const freeAt = Math.max(freeAtMs ?? 0, nowMs) + (perSeconds * 1000 * units) / burst
  const waitMs = freeAt - nowMs - perSeconds * 1000 * (1 - reserved)
  if (waitMs <= 0) return freeAt
  return refuse('too_many_requests', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    limit: name,
  })
}
