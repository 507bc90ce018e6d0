import { refuse } from '../refusal.ts'
import type { Rate } from './limits.ts'

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

/** So many subjects are known at once; when there are more, those that have flowed back are forgotten. */
const SUBJECTS_MAX = 100_000

/** Limits of one process on what anybody may ask for; the same rule as `Limits`, without a database. */
export class LocalLimits {
  readonly #isOn: boolean
  readonly #freeAtMs = new Map<string, number>()

  constructor({ isOn }: { readonly isOn: boolean }) {
    this.#isOn = isOn
  }

  /** Takes one for the network, and one for all of them. Refuses `too_many_requests` with `retryAfterSeconds` and `limit`. */
  takeBoth(
    what:
      | 'preview'
      | 'order'
      | 'download'
      | 'judging'
      | 'claims'
      | 'receipt'
      | 'referral'
      | 'framed'
      | 'witness',
    network: string,
  ): void {
    this.take(`${what}_network`, network)
    this.take(`${what}_all`, '')
  }

  take(name: LocalRateName, subject: string, nowMs = Date.now()): void {
    if (!this.#isOn) return
    const { burst, perSeconds } = localRates[name]
    const oneMs = (perSeconds * 1000) / burst
    const key = `${name}:${subject}`
    const freeAt = Math.max(this.#freeAtMs.get(key) ?? 0, nowMs) + oneMs
    const waitMs = freeAt - nowMs - perSeconds * 1000
    if (waitMs > 0)
      refuse('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), limit: name })
    if (this.#freeAtMs.size >= SUBJECTS_MAX && !this.#freeAtMs.has(key)) this.#forget(nowMs)
    this.#freeAtMs.set(key, freeAt)
  }

  #forget(nowMs: number): void {
    for (const [key, freeAt] of this.#freeAtMs) if (freeAt <= nowMs) this.#freeAtMs.delete(key)
    // A flood from more networks than are counted leaves the bound on all of them.
    if (this.#freeAtMs.size >= SUBJECTS_MAX) this.#freeAtMs.clear()
  }
}
