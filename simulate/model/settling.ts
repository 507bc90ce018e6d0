import { Exact } from './exact.ts'

// The purchases of an order's payments, by docs/rules.md, “Settlement” and “Late payments”. Independent of
// the product's code.

const TOLERANCE = { share: Exact.of('0.005'), usd: Exact.of('0.5') }
/** A payment worth less than this is too little. */
export const LEAST_USD = Exact.of('1')

export interface Amounts {
  readonly base: Exact
  readonly bonus: Exact
  readonly usd: Exact
}

export interface Level {
  readonly threshold: Exact
  readonly percent: Exact
}

/** Terms that are fixed for the order. */
export interface Ordered extends Amounts {
  readonly asked: Exact
  readonly heldPercent: Exact
  readonly price: Exact
  readonly rate: Exact
  readonly stage: number
  readonly expiresAt: number
  readonly maximum: Exact
  readonly levels: readonly Level[]
  /** Days to take the order back; 0: never. */
  readonly moneyBackDays: number
  readonly coinDecimals: number
}

export interface Part {
  readonly id: number
  readonly amount: Exact
  readonly left: Exact
  /** The time of the first sight. */
  readonly at: number
}

export interface Judged {
  readonly base: Exact
  readonly rate: Exact
  readonly coins: Exact
  /** Coins used, by payment. */
  readonly credited: ReadonlyMap<number, Exact>
}

/**
 * @param most Tokens that it may buy.
 * @param lateRate Null: a late payment buys nothing.
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
  const isFull = (amounts: Exact[]) => !Exact.sum(amounts).isBelow(asked.minus(tolerance(ordered)))
  const needsLittle = isFull(inTime) && !isFull(inTime.filter((amount) => !isLittle(ordered, amount, null)))
  const used: { readonly id: number; readonly rate: Exact; readonly coins: Exact }[] = []
  let [base, paid, came, isReached] = [Exact.zero, Exact.zero, Exact.zero, false]
  for (const part of parts.toSorted((a, b) => a.at - b.at || a.id - b.id)) {
    const { id, at, amount, left } = part
    const isLate = at > expiresAt
    const rate = isLate ? lateRate(part) : locked
    // A payment that is too little buys only if the order in time is not complete without it.
    const completes = !isLate && needsLittle && came.isBelow(asked.minus(tolerance(ordered)))
    // Includes the owed part, so that the result stays the same once it is owed.
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
      // In time the sum counts: at the maximum or the room's end, the used coins correspond to all tokens.
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

export function amountsOf({ heldPercent, levels, price }: Ordered, base: Exact): Amounts {
  const percent = Exact.most(heldPercent, percentReached(levels, base))
  return {
    base,
    bonus: base.times(percent).over(Exact.of('100')).rounded(6),
    usd: base.times(price).rounded(2),
  }
}

/** True if the coins are worth less than returning them. */
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

/** The tolerance above and below the full amount: the smaller of a share and some cents. */
function tolerance({ asked, rate, price }: Ordered): Exact {
  return Exact.least(asked.times(TOLERANCE.share), TOLERANCE.usd.over(rate.times(price)))
}

function tokensInTime(ordered: Ordered, paid: Exact): Exact {
  const { asked, base, rate } = ordered
  const isOff = tolerance(ordered).isBelow(Exact.most(asked.minus(paid), paid.minus(asked)))
  return isOff ? paid.times(rate).rounded(6) : base
}
