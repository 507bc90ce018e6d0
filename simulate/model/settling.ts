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
  /** When it counts as made. */
  readonly at: number
  /** Until when an unconfirmed one is worth waiting for. */
  readonly waitUntil: number
}

/** What its buyer was promised. */
export interface Promised {
  readonly asked: Exact
  readonly base: Exact
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
  isPausedAt(at: number): boolean
  stageEnd(stage: number): number
  /** The stage that is open then, while the sale is not paused. */
  stageAt(at: number): number | null
  rateAt(at: number): Exact
  priceAt(at: number): Exact
  percentReached(tokens: Exact): Exact
}

export interface Pending {
  readonly quote: Promised
  readonly terms: Terms
  readonly parts: readonly Part[]
  readonly expiresAt: number
  /** Until when the buyer may declare what is missing; null where nothing is. */
  readonly declareBy: number | null
  /** Whether it was promised its place before anything is paid. */
  readonly holdsUnpaid: boolean
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
  readonly detail: 'underpaid' | 'seen' | 'confirming' | 'under_review' | 'refund_due'
  readonly until: number | null
  readonly keepsPlace: boolean
  /** Whether what is seen is enough to hold a place. */
  readonly takesPlace: boolean
  /** Of `refund_due`: what counts from no later than this is owed. */
  readonly owedUntil: number
}

const total = (parts: readonly Part[]) => Exact.sum(parts.map(({ amount }) => amount))

/** The coin that full payment may lack: the smaller of a share and some cents. */
function lacks({ asked, rate, price }: Promised): Exact {
  return Exact.least(asked.times(TOLERANCE.share), TOLERANCE.usd.over(rate.times(price)))
}

export class Settling {
  readonly #order: Pending
  readonly #expected: readonly Part[]
  readonly #confirmed: readonly Part[]

  constructor(order: Pending) {
    this.#order = order
    this.#confirmed = order.parts.filter((part) => part.isConfirmed)
    this.#expected = order.parts.filter((part) => !part.isConfirmed && part.waitUntil > order.now)
  }

  /** Whether anything was paid that can buy, or may soon. */
  get isPaid(): boolean {
    return this.#confirmed.length + this.#expected.length > 0
  }

  decide(): Bought | Waits {
    const { declareBy, now, expiresAt } = this.#order
    if (declareBy !== null) {
      const until = now < expiresAt ? expiresAt : declareBy
      return this.#waits(now < declareBy ? 'under_review' : 'refund_due', until)
    }
    return [...this.#confirmed, ...this.#expected].some(this.#isInTime)
      ? this.#decideInTime()
      : this.#decideLate()
  }

  /** What was ordered, where there is no room for more. */
  asOrdered(): Bought {
    const { asked, base } = this.#order.quote
    return this.#buys(asked, base)
  }

  noRoom(): Waits {
    return this.#waits('refund_due', null)
  }

  #isInTime = (part: Part) => part.at <= this.#order.expiresAt

  #decideInTime(): Bought | Waits {
    const { quote, terms, now, expiresAt } = this.#order
    const [inTime, coming] = [this.#confirmed, this.#expected].map((parts) => parts.filter(this.#isInTime))
    const full = quote.asked.minus(lacks(quote))
    const paid = total(inTime ?? [])
    const isOnItsWay = coming ?? []
    if (!paid.isBelow(full)) {
      const most = Exact.most(terms.maximum, quote.base)
      if (isOnItsWay.some(({ isMined }) => isMined) && paid.times(quote.rate).isBelow(most))
        return this.#waits('confirming', this.#waitedUntil())
      const isMore = quote.asked.isBelow(paid)
      return this.#buys(paid, isMore ? Exact.most(quote.base, paid.times(quote.rate).rounded(6)) : quote.base)
    }
    const reachesFull = !paid.plus(total(isOnItsWay)).isBelow(full)
    if (isOnItsWay.length > 0 && (now >= expiresAt || reachesFull))
      return this.#waits(this.#seen, this.#waitedUntil())
    if (now < expiresAt) return this.#waits('underpaid', expiresAt)
    const tokens = paid.times(quote.rate).rounded(6)
    if (!tokens.isBelow(terms.minimum)) return this.#buys(paid, tokens)
    return this.#waits('refund_due', null, expiresAt)
  }

  #decideLate(): Bought | Waits {
    const { quote, terms, now } = this.#order
    const paid = total(this.#confirmed)
    const firstAt = Math.min(...[...this.#confirmed, ...this.#expected].map(({ at }) => at))
    const waitUntil =
      this.#confirmed.length > 0 ? Math.min(this.#waitedUntil(), firstAt + DAY) : this.#waitedUntil()
    if (this.#expected.length > 0 && now < waitUntil) return this.#waits(this.#seen, waitUntil)
    const at = this.#countsFrom(paid)
    if (at === null || terms.stageAt(at) !== quote.stage || !terms.priceAt(at).equals(quote.price))
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
    return Math.min(...this.#expected.map(({ waitUntil }) => waitUntil))
  }

  #waits(detail: Waits['detail'], until: number | null, owedUntil = Number.POSITIVE_INFINITY): Waits {
    const { now, expiresAt, declareBy, quote, holdsUnpaid } = this.#order
    const inTime = total([...this.#confirmed, ...this.#expected].filter(this.#isInTime))
    const isEnough = !inTime.isBelow(quote.asked.times(COVERS))
    const isLate = now >= expiresAt
    const isOver = detail === 'refund_due' || (isLate && declareBy !== null)
    const keepsPlace = !isOver && (isEnough || (!isLate && holdsUnpaid))
    return {
      kind: 'waits',
      detail,
      until: until !== null && until > now ? until : null,
      owedUntil,
      keepsPlace,
      takesPlace: keepsPlace && isEnough,
    }
  }

  #buys(paid: Exact, tokens: Exact, lateRate?: Exact): Bought {
    const { quote, terms } = this.#order
    const rate = lateRate ?? quote.rate
    const most = Exact.most(terms.maximum, quote.base)
    const isMost = most.isBelow(tokens)
    const base = isMost ? most : tokens
    const isAsOrdered = base.equals(quote.base)
    const reached = Exact.most(quote.heldPercent, terms.percentReached(base))
    const atLeast = quote.base.isBelow(base) ? Exact.most(reached, quote.percent) : reached
    const percent = isAsOrdered ? quote.percent : atLeast
    return {
      kind: 'buys',
      rate,
      base,
      percent,
      bonus: base.times(percent).over(Exact.of('100')).rounded(6),
      usd: base.times(quote.price).rounded(2),
      credited: isMost ? Exact.least(paid, most.over(rate).cut(Math.min(8, terms.coinDecimals))) : paid,
      isLate: lateRate !== undefined,
    }
  }
}
