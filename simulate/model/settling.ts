import { Exact } from './exact.ts'

// What an order must become, as docs/rules.md says under “Settlement” and “Late payments”. Nothing here comes from the product.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const TOLERANCE = { share: Exact.of('0.005'), usd: Exact.of('0.5') }
const COVERS = Exact.of('0.9')

/** A payment of an order that stands, less what of it is owed back. */
export interface Part {
  readonly id: number
  readonly amount: Exact
  readonly isConfirmed: boolean
  readonly isMined: boolean
  /** Whether as many nodes show it as it needs. */
  readonly isShown: boolean
  /** When it counts as made. */
  readonly at: number
  /** Until when an unconfirmed one is worth waiting for that no block holds. */
  readonly waitUntil: number
}

/** What an order was made for. */
export interface Ordered {
  readonly asked: Exact
  readonly base: Exact
  readonly bonus: Exact
  readonly percent: Exact
  readonly heldPercent: Exact
  readonly usd: Exact
  readonly price: Exact
  readonly rate: Exact
  readonly stage: number
}

/** What the sale says about times: its prices, pauses and stages. */
export interface Terms {
  readonly minimum: Exact
  readonly maximum: Exact
  readonly coinDecimals: number
  /** The stage that is open then, while the sale is not paused. */
  stageAt(at: number): number | null
  rateAt(at: number): Exact
  priceAt(at: number): Exact
  percentReached(tokens: Exact): Exact
}

export interface Pending {
  readonly ordered: Ordered
  readonly terms: Terms
  readonly parts: readonly Part[]
  readonly expiresAt: number
  readonly now: number
}

export interface Bought {
  readonly kind: 'buys'
  readonly rate: Exact
  readonly base: Exact
  readonly percent: Exact
  readonly bonus: Exact
  readonly usd: Exact
  readonly credited: Exact
  readonly isLate: boolean
}

export interface Waits {
  readonly kind: 'waits'
  readonly detail: 'underpaid' | 'seen' | 'confirming' | 'refund_due'
  readonly until: number | null
  /** Whether it takes its place, or keeps it. */
  readonly takesPlace: boolean
  /** Of `refund_due`: what counts from no later than this is owed. */
  readonly owedUntil: number
}

const total = (parts: readonly Part[]) => Exact.sum(parts.map(({ amount }) => amount))

/** The coin that full payment may lack: the smaller of a share and some cents. */
function lacks({ asked, rate, price }: Ordered): Exact {
  return Exact.least(asked.times(TOLERANCE.share), TOLERANCE.usd.over(rate.times(price)))
}

export class Settling {
  readonly #order: Pending
  readonly #expected: readonly Part[]
  readonly #confirmed: readonly Part[]

  constructor(order: Pending) {
    this.#order = order
    this.#confirmed = order.parts.filter((part) => part.isConfirmed)
    // What a block holds is waited for until it is counted or gone.
    this.#expected = order.parts.filter(
      (part) => !part.isConfirmed && (part.isMined || part.waitUntil > order.now),
    )
  }

  /** Whether anything was paid that can buy, or may soon. */
  get isPaid(): boolean {
    return this.#confirmed.length + this.#expected.length > 0
  }

  decide(): Bought | Waits {
    return [...this.#confirmed, ...this.#expected].some(this.#isInTime)
      ? this.#decideInTime()
      : this.#decideLate()
  }

  /** What was ordered, where there is no room for more. */
  asOrdered(): Bought {
    const { asked, base } = this.#order.ordered
    return this.#buys(asked, base)
  }

  /** What all that is counted in time buys, where it is more than `bought` by more than an amount may lack. */
  more(bought: Exact): Bought | null {
    if (!this.#confirmed.some(this.#isInTime)) return null
    const whole = this.#decideInTime()
    const { ordered } = this.#order
    const least = bought.plus(lacks(ordered).times(ordered.rate))
    return whole.kind === 'buys' && least.isBelow(whole.base) ? whole : null
  }

  noRoom(): Waits {
    return this.#waits('refund_due', null)
  }

  #isInTime = (part: Part) => part.at <= this.#order.expiresAt

  #decideInTime(): Bought | Waits {
    const { ordered, terms, now, expiresAt } = this.#order
    const [inTime, coming] = [this.#confirmed, this.#expected].map((parts) => parts.filter(this.#isInTime))
    const full = ordered.asked.minus(lacks(ordered))
    const paid = total(inTime ?? [])
    const isOnItsWay = coming ?? []
    if (!paid.isBelow(full)) return this.#buysInTime(paid)
    const reachesFull = !paid.plus(total(isOnItsWay)).isBelow(full)
    if (isOnItsWay.length > 0 && (now >= expiresAt || reachesFull))
      return this.#waits(this.#seen, this.#waitedUntil())
    if (now < expiresAt) return this.#waits('underpaid', expiresAt)
    const tokens = paid.times(ordered.rate).rounded(6)
    if (!tokens.isBelow(terms.minimum)) return this.#buys(paid, tokens)
    return this.#waits('refund_due', null, expiresAt)
  }

  #buysInTime(paid: Exact): Bought {
    const { asked, base, rate } = this.#order.ordered
    const isMore = asked.isBelow(paid)
    return this.#buys(paid, isMore ? Exact.most(base, paid.times(rate).rounded(6)) : base)
  }

  #decideLate(): Bought | Waits {
    const { ordered, terms, now } = this.#order
    const paid = total(this.#confirmed)
    const firstAt = Math.min(...[...this.#confirmed, ...this.#expected].map(({ at }) => at))
    const isPaid = this.#confirmed.length > 0
    if (this.#expected.length > 0 && (!isPaid || now < firstAt + DAY))
      return this.#waits(
        this.#seen,
        isPaid ? Math.min(this.#waitedUntil(), firstAt + DAY) : this.#waitedUntil(),
      )
    const at = this.#countsFrom(paid)
    if (at === null || terms.stageAt(at) !== ordered.stage || !terms.priceAt(at).equals(ordered.price))
      return this.#waits('refund_due', null)
    const tokens = paid.times(terms.rateAt(at)).rounded(6)
    if (tokens.isBelow(terms.minimum)) return this.#waits('refund_due', null)
    return this.#buys(paid, tokens, terms.rateAt(at))
  }

  /** When nine tenths of what is confirmed had been seen. */
  #countsFrom(paid: Exact): number | null {
    let seen = Exact.zero
    for (const { at, amount } of this.#confirmed.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
      seen = seen.plus(amount)
      if (!seen.isBelow(paid.times(COVERS))) return at
    }
    return null
  }

  get #seen(): 'seen' | 'confirming' {
    return this.#order.parts.some(({ isMined }) => isMined) ? 'confirming' : 'seen'
  }

  #waitedUntil(): number {
    return Math.min(
      ...this.#expected.flatMap(({ waitUntil }) => (waitUntil > this.#order.now ? [waitUntil] : [])),
    )
  }

  #waits(detail: Waits['detail'], until: number | null, owedUntil = Number.POSITIVE_INFINITY): Waits {
    const { now, ordered } = this.#order
    const inBlocks = [
      ...this.#confirmed,
      ...this.#expected.filter(({ isMined, isShown }) => isMined && isShown),
    ]
    const isCovered = !total(inBlocks.filter(this.#isInTime)).isBelow(ordered.asked.times(COVERS))
    return {
      kind: 'waits',
      detail,
      until: until !== null && until > now && Number.isFinite(until) ? until : null,
      owedUntil,
      takesPlace: isCovered && detail !== 'refund_due',
    }
  }

  #buys(paid: Exact, tokens: Exact, lateRate?: Exact): Bought {
    const { ordered, terms } = this.#order
    const rate = lateRate ?? ordered.rate
    const most = Exact.most(terms.maximum, ordered.base)
    const isMost = most.isBelow(tokens)
    const base = isMost ? most : tokens
    const isAsOrdered = base.equals(ordered.base)
    const reached = Exact.most(ordered.heldPercent, terms.percentReached(base))
    const atLeast = ordered.base.isBelow(base) ? Exact.most(reached, ordered.percent) : reached
    const percent = isAsOrdered ? ordered.percent : atLeast
    return {
      kind: 'buys',
      rate,
      base,
      percent,
      bonus: base.times(percent).over(Exact.of('100')).rounded(6),
      usd: base.times(ordered.price).rounded(2),
      credited: isMost ? Exact.least(paid, most.over(rate).cut(Math.min(8, terms.coinDecimals))) : paid,
      isLate: lateRate !== undefined,
    }
  }
}
