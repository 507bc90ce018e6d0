import { Exact } from './exact.ts'

// What the payments of an order buy, as docs/rules.md says under “Settlement” and “Late payments”. Nothing here comes from the product.

const TOLERANCE = { share: Exact.of('0.005'), usd: Exact.of('0.5') }
/** A payment worth less than these dollars is too little. */
const LEAST_USD = Exact.of('1')

export interface Amounts {
  readonly base: Exact
  readonly bonus: Exact
  readonly usd: Exact
}

export interface Level {
  readonly threshold: Exact
  readonly percent: Exact
}

/** What an order was made for, and the terms that it has kept since. */
export interface Ordered extends Amounts {
  readonly asked: Exact
  readonly heldPercent: Exact
  readonly price: Exact
  readonly rate: Exact
  readonly stage: number
  readonly expiresAt: number
  readonly maximum: Exact
  readonly levels: readonly Level[]
  /** For how many days its buyer may take it back; 0: never. */
  readonly moneyBackDays: number
  readonly coinDecimals: number
}

/** A payment of an order that stands. */
export interface Part {
  readonly id: number
  readonly amount: Exact
  /** What of it is not owed back. */
  readonly left: Exact
  /** When it was first seen. */
  readonly at: number
}

/** What payments buy together. */
export interface Judged {
  readonly base: Exact
  readonly rate: Exact
  readonly coins: Exact
  /** What of each payment is used. */
  readonly credited: ReadonlyMap<number, Exact>
}

/**
 * @param most The tokens that it may buy.
 * @param lateRate The rate at which a late payment buys; null: it buys nothing.
 */
export function judge<P extends Part>(
  ordered: Ordered,
  parts: readonly P[],
  most: Exact,
  lateRate: (part: P) => Exact | null,
): Judged {
  const { asked, rate: locked, expiresAt, coinDecimals } = ordered
  const inTime = parts
    .filter(({ at, left }) => at <= expiresAt && left.isPositive)
    .map(({ amount }) => amount)
  const isComplete = !Exact.sum(inTime).isBelow(asked.minus(tolerance(ordered)))
  const used: { readonly id: number; readonly rate: Exact; readonly coins: Exact }[] = []
  let [base, paid, came, isReached] = [Exact.zero, Exact.zero, Exact.zero, false]
  for (const part of parts.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
    const { id, at, amount, left } = part
    const isLate = at > expiresAt
    const rate = isLate ? lateRate(part) : locked
    // What is too little completes the order in time, or buys nothing.
    const completes = !isLate && isComplete && came.isBelow(asked.minus(tolerance(ordered)))
    // With what of it is owed, so that the same is bought again once it is.
    if (!isLate && left.isPositive) came = came.plus(amount)
    const isUsed =
      !isReached && left.isPositive && (completes || !isLittle(ordered, amount, isLate ? rate : null))
    if (rate && isUsed) {
      const before = paid
      const buys = (coins: Exact) =>
        isLate
          ? coins.times(rate).rounded(6)
          : tokensInTime(ordered, before.plus(coins)).minus(tokensInTime(ordered, before))
      const free = most.minus(base)
      isReached = free.isBelow(buys(left))
      // In time the sum counts: where the largest order or the room ends, its coins are those of all tokens.
      const [tokens, spent] = isLate ? [free, Exact.zero] : [most, before]
      const enough = tokens.over(rate).up(Math.min(8, coinDecimals)).minus(spent)
      const cut = isReached ? Exact.least(left, Exact.most(Exact.zero, enough)) : left
      const isTooLittle = (some: Exact) => isReached && isLittle(ordered, some, isLate ? rate : null)
      const rest = isTooLittle(left.minus(cut)) ? left : cut
      const coins = isTooLittle(cut) ? Exact.zero : rest
      if (coins.isPositive) base = base.plus(Exact.least(free, buys(coins)))
      if (!isLate) paid = before.plus(coins)
      if (coins.isPositive) used.push({ id, rate, coins })
    }
  }
  const coins = Exact.sum(used.map((one) => one.coins))
  const [first] = used
  const isOneRate = used.every(({ rate }) => rate.equals(first?.rate ?? rate))
  return {
    base,
    coins,
    rate: isOneRate ? (first?.rate ?? locked) : base.over(coins).rounded(12),
    credited: new Map(used.map((one) => [one.id, one.coins])),
  }
}

/** The amounts of an order that buys `base`. */
export function amountsOf({ heldPercent, levels, price }: Ordered, base: Exact): Amounts {
  const percent = Exact.most(heldPercent, percentReached(levels, base))
  return {
    base,
    bonus: base.times(percent).over(Exact.of('100')).rounded(6),
    usd: base.times(price).rounded(2),
  }
}

/** Whether coins are worth less than sending them back costs. */
export const isLittle = ({ rate, price }: Ordered, coins: Exact, lateRate: Exact | null) =>
  coins
    .times(lateRate ?? rate)
    .times(price)
    .rounded(2)
    .isBelow(LEAST_USD)

export function percentReached(levels: readonly Level[], tokens: Exact): Exact {
  const reached = levels.findLast(({ threshold }) => !tokens.isBelow(threshold)) ?? levels[0]
  return reached?.percent ?? Exact.zero
}

/** The coins that full payment may lack, or bring beyond it: the smaller of a share and some cents. */
function tolerance({ asked, rate, price }: Ordered): Exact {
  return Exact.least(asked.times(TOLERANCE.share), TOLERANCE.usd.over(rate.times(price)))
}

function tokensInTime(ordered: Ordered, paid: Exact): Exact {
  const { asked, base, rate } = ordered
  const isOff = tolerance(ordered).isBelow(Exact.most(asked.minus(paid), paid.minus(asked)))
  return isOff ? paid.times(rate).rounded(6) : base
}
