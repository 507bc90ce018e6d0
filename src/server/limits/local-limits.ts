import { refuse } from '../refusal.ts'
import type { Rate } from './limits.ts'
import { OpenCounts } from './open-counts.ts'
import { RESERVED, widthsOf } from './widths.ts'

interface Budget {
  /** For one network. */
  readonly network: Rate
  /** For all networks together. What strangers have together is apart from what people who are signed in have. */
  readonly all?: Rate
}

// Rules: RIGHT-25, DELIVER-35
/** What this process spends in a while, by what runs short. Each process counts by itself, and forgets when it ends. */
export const budgets = {
  /** Every request, whatever it asks for: half a millisecond of the one thread each. */
  requests: { network: { burst: 6_000, perSeconds: 60 } },
  /** 20 ms of a core each; the line in which they wait bounds all of them. */
  hashes: { network: { burst: 120, perSeconds: 60 } },
  /** 15 ms of a thread of their own each. */
  judgements: { network: { burst: 60, perSeconds: 60 }, all: { burst: 600, perSeconds: 60 } },
  /** Pages and documents drawn for one visitor alone, in pages of the usual size: 15 ms of the one thread each. */
  renders: { network: { burst: 180, perSeconds: 60 }, all: { burst: 1_800, perSeconds: 60 } },
  statements: { network: { burst: 12_000, perSeconds: 60 }, all: { burst: 300_000, perSeconds: 60 } },
  /** Questions to a node of a chain. */
  lookups: { network: { burst: 30, perSeconds: 60 }, all: { burst: 300, perSeconds: 60 } },
  /** The mailbox that a mail goes to has limits of its own. */
  mails: { network: { burst: 240, perSeconds: 600 } },
  /** Files of public rows: each sends megabytes. */
  downloads: { network: { burst: 60, perSeconds: 600 }, all: { burst: 2_000, perSeconds: 600 } },
  /** Orders are rows that stay, and most use up an address. Those that are refused count for nothing. */
  orders: { network: { burst: 300, perSeconds: 600 }, all: { burst: 20_000, perSeconds: 60 } },
} as const satisfies Record<string, Budget>
export type Unit = keyof typeof budgets
/** What something costs, in units. */
export type Spending = { readonly [Name in Unit]?: number | undefined }
/** Who asks: their budgets for all networks are apart. */
export type Crowd = 'strangers' | 'signed-in'

/** Files that are sent at once: an office of browsers, each with some pictures; a reader who stops holds some 400 kB. */
const FILES = { name: 'files', network: 60, all: 1_000 } as const

/** Requests whose body has yet to come whole: each holds a connection, of which a proxy on the same machine has some 28,000. */
const BODIES = { name: 'bodies', network: 60, all: 2_000 } as const

/** So many subjects are known at once; when there are more, those that have flowed back are forgotten. */
const SUBJECTS_MAX = 100_000

/** Limits of one process on what anybody may ask for; the same rule as `Limits`, without a database. */
export class LocalLimits {
  readonly #isOn: boolean
  readonly #freeAtMs = new Map<string, number>()
  /** What all networks took together: apart, so that no flood of networks makes it forgotten. */
  readonly #allFreeAtMs = new Map<string, number>()
  readonly #files = new OpenCounts(FILES)
  readonly #bodies = new OpenCounts(BODIES)

  constructor({ isOn }: { readonly isOn: boolean }) {
    this.#isOn = isOn
  }

  // Rules: RIGHT-25
  /** Takes what something costs for the network, and for all of them. Refuses `too_many_requests` with `retryAfterSeconds` and `limit`. */
  spend(network: string, cost: Spending, crowd: Crowd = 'strangers', nowMs = Date.now()): void {
    this.takeOfAll(cost, this.take(network, cost, nowMs), crowd, nowMs)
  }

  /**
   * Takes for the network, by each of its widths; nothing where one of them has too little of anything. Returns the units of which nobody
   * as near took any lately.
   */
  take(network: string, cost: Spending, nowMs = Date.now()): ReadonlySet<Unit> {
    const firsts = new Set<Unit>()
    if (!this.#isOn) return firsts
    const widths = widthsOf(network)
    const taken = unitsOf(cost).flatMap(([unit, count]) =>
      widths.map(({ subject, times }, n) => {
        const key = `${unit}:${subject}`
        const before = this.#freeAtMs.get(key) ?? 0
        if (n === widths.length - 1 && before <= nowMs) firsts.add(unit)
        const { network: rate } = budgets[unit]
        return { key, freeAt: freeAfter(`${unit}_network`, rate, before, count / times, 0, nowMs) }
      }),
    )
    for (const { key, freeAt } of taken) {
      if (this.#freeAtMs.size >= SUBJECTS_MAX && !this.#freeAtMs.has(key)) this.#forget(nowMs)
      this.#freeAtMs.set(key, freeAt)
    }
    return firsts
  }

  /** Takes of what all networks have together. A quarter is kept for networks that took nothing lately (`firsts`). Refuses as `spend`. */
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

  /** Counts a file that is being sent until what is returned is called. Refuses `too_many_requests`. */
  openFile(network: string): () => void {
    if (this.#isOn) this.#files.refuseWhenFull(network)
    return this.#files.open(network)
  }

  /** As `openFile`, for a request whose body has yet to come whole. */
  openBody(network: string): () => void {
    if (this.#isOn) this.#bodies.refuseWhenFull(network)
    return this.#bodies.open(network)
  }

  #forget(nowMs: number): void {
    for (const [key, freeAt] of this.#freeAtMs) if (freeAt <= nowMs) this.#freeAtMs.delete(key)
    // A flood from more networks than are counted leaves the bound on all of them.
    if (this.#freeAtMs.size >= SUBJECTS_MAX) this.#freeAtMs.clear()
  }
}

const unitsOf = (cost: Spending) =>
  (Object.entries(cost) as [Unit, number | undefined][]).flatMap(([unit, count]) =>
    count ? [[unit, count] as const] : [],
  )

/** When everything has flowed back once so many units are taken. Refuses where less than the share `reserved` of the burst would be left. */
function freeAfter(
  limit: string,
  { burst, perSeconds }: Rate,
  freeAtMs: number,
  units: number,
  reserved: number,
  nowMs: number,
): number {
  const freeAt = Math.max(freeAtMs, nowMs) + (perSeconds * 1000 * units) / burst
  const waitMs = freeAt - nowMs - perSeconds * 1000 * (1 - reserved)
  if (waitMs <= 0) return freeAt
  return refuse('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), limit })
}
