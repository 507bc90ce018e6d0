import { refuse } from '../refusal.ts'
import type { Rate } from './limits.ts'
import { OpenCounts } from './open-counts.ts'
import { LITTLE, RESERVED, widthsOf } from './widths.ts'

interface Budget {
  readonly network: Rate
  /** Of all networks together, separate for strangers and signed-in people. */
  readonly all?: Rate
}

// Rules: RIGHT-25, DELIVER-35
export const budgets = {
  /** Half a millisecond of the main thread. */
  requests: { network: { burst: 6_000, perSeconds: 60 } },
  /** 20 ms of a core; the password queue bounds the total. */
  hashes: { network: { burst: 120, perSeconds: 60 } },
  /** 15 ms of a worker thread. */
  judgements: { network: { burst: 60, perSeconds: 60 }, all: { burst: 600, perSeconds: 60 } },
  /** For one visitor, in units of the usual page: 15 ms of the main thread. */
  renders: { network: { burst: 180, perSeconds: 60 }, all: { burst: 1_800, perSeconds: 60 } },
  statements: { network: { burst: 12_000, perSeconds: 60 }, all: { burst: 300_000, perSeconds: 60 } },
  /** Queries to a chain's node. */
  lookups: { network: { burst: 30, perSeconds: 60 }, all: { burst: 300, perSeconds: 60 } },
  /** Mailboxes have their own limits. */
  mails: { network: { burst: 240, perSeconds: 600 } },
  /** Public files of megabytes each. */
  downloads: { network: { burst: 60, perSeconds: 600 }, all: { burst: 2_000, perSeconds: 600 } },
  /** Permanent rows, and most use up an address. Rejected ones are not counted. */
  orders: { network: { burst: 300, perSeconds: 600 }, all: { burst: 20_000, perSeconds: 60 } },
} as const satisfies Record<string, Budget>
export type Unit = keyof typeof budgets
export type Spending = { readonly [Name in Unit]?: number | undefined }
/** For budgets of all networks together. */
export type Crowd = 'strangers' | 'signed-in'

/** Enough for an office of browsers. A stalled reader holds 400 kB. */
const FILES = { name: 'files', network: 60, all: 1_000 } as const

/** Incomplete ones: each holds a connection, of which a proxy on the same machine has about 28,000. */
const BODIES = { name: 'bodies', network: 60, all: 2_000 } as const

/** Beyond it, replenished subjects are dropped. */
const SUBJECTS_MAX = 100_000

/** Of one process, in memory; the algorithm of `Limits`. */
export class LocalLimits {
  readonly #isOn: boolean
  readonly #freeAtMs = new Map<string, number>()
  /** A flood of networks cannot clear it. */
  readonly #allFreeAtMs = new Map<string, number>()
  readonly #files = new OpenCounts(FILES)
  readonly #bodies = new OpenCounts(BODIES)

  constructor({ isOn }: { readonly isOn: boolean }) {
    this.#isOn = isOn
  }

  // Rules: RIGHT-25
  /**
   * Of the network's and the shared budgets. Throws `too_many_requests` with `retryAfterSeconds` and `limit`.
   */
  spend(network: string, cost: Spending, crowd: Crowd = 'strangers', nowMs = Date.now()): void {
    this.takeOfAll(cost, this.take(network, cost, nowMs), crowd, nowMs)
  }

  /**
   * Of each width of the network; nothing if any budget is short. Returns the units of which nearby networks
   * used little lately.
   */
  take(network: string, cost: Spending, nowMs = Date.now()): ReadonlySet<Unit> {
    const firsts = new Set<Unit>()
    if (!this.#isOn) return firsts
    const widths = widthsOf(network)
    const taken = unitsOf(cost).flatMap(([unit, count]) =>
      widths.map(({ subject, times }) => {
        const key = `${unit}:${subject}`
        const before = this.#freeAtMs.get(key) ?? 0
        const { network: rate } = budgets[unit]
        return { key, freeAt: freeAfter(`${unit}_network`, rate, before, count / times, 0, nowMs) }
      }),
    )
    for (const [unit, count] of unitsOf(cost)) {
      const { network: rate, all }: Budget = budgets[unit]
      if (!all) continue
      const key = `${unit}:little:${widths.at(-1)?.subject}`
      const freeAt = addTo(this.#freeAtMs.get(key) ?? 0, rate, count / LITTLE, nowMs)
      if (freeAt - nowMs > rate.perSeconds * 1000) continue
      firsts.add(unit)
      taken.push({ key, freeAt })
    }
    for (const { key, freeAt } of taken) {
      if (this.#freeAtMs.size >= SUBJECTS_MAX && !this.#freeAtMs.has(key)) this.#forget(nowMs)
      this.#freeAtMs.set(key, freeAt)
    }
    return firsts
  }

  /** Of the shared budgets; a quarter is reserved for units in `firsts`. Throws as `spend`. */
  takeOfAll(cost: Spending, firsts: ReadonlySet<Unit>, crowd: Crowd, nowMs = Date.now()): void {
    if (!this.#isOn) return
    for (const [unit, count] of unitsOf(cost)) {
      const { all }: Budget = budgets[unit]
      if (!all) continue
      const key = `${unit}:${crowd}`
      const reserved = firsts.has(unit) ? 0 : RESERVED
      const before = this.#allFreeAtMs.get(key) ?? 0
      this.#allFreeAtMs.set(key, freeAfter(`${unit}_all`, all, before, count, reserved, nowMs))
    }
  }

  /** Until the returned function is called. */
  openFile(network: string): () => void {
    if (this.#isOn) this.#files.refuseWhenFull(network)
    return this.#files.open(network)
  }

  /** An incomplete request body, as `openFile`. */
  openBody(network: string): () => void {
    if (this.#isOn) this.#bodies.refuseWhenFull(network)
    return this.#bodies.open(network)
  }

  #forget(nowMs: number): void {
    for (const [key, freeAt] of this.#freeAtMs) if (freeAt <= nowMs) this.#freeAtMs.delete(key)
    // The shared budgets still apply.
    if (this.#freeAtMs.size >= SUBJECTS_MAX) this.#freeAtMs.clear()
  }
}

const unitsOf = (cost: Spending) =>
  (Object.entries(cost) as [Unit, number | undefined][]).flatMap(([unit, count]) =>
    count ? [[unit, count] as const] : [],
  )

const addTo = (freeAtMs: number, { burst, perSeconds }: Rate, units: number, nowMs: number) =>
  Math.max(freeAtMs, nowMs) + (perSeconds * 1000 * units) / burst

/** When the budget is full again. Throws if less than `reserved` of the burst would remain. */
function freeAfter(
  limit: string,
  rate: Rate,
  freeAtMs: number,
  units: number,
  reserved: number,
  nowMs: number,
): number {
  const freeAt = addTo(freeAtMs, rate, units, nowMs)
  const waitMs = freeAt - nowMs - rate.perSeconds * 1000 * (1 - reserved)
  if (waitMs <= 0) return freeAt
  return refuse('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), limit })
}
