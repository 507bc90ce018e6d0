import type { SimulatedChain } from './simulated-chain.ts'

// What must be true, computed apart from the product: nothing here imports from it. Amounts are whole units of 10^-18.

const ONE = 10n ** 18n

/** The exact amount of a decimal text in units of 10^-18; what is finer is cut off. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole) * ONE + BigInt(fraction.slice(0, 18).padEnd(18, '0'))
  return text.startsWith('-') ? -value : value
}

/** Rounds half up to `decimals`. */
function round(value: bigint, decimals: number): bigint {
  const step = 10n ** BigInt(18 - decimals)
  return ((value + step / 2n) / step) * step
}

const times = (a: bigint, b: bigint) => (a * b) / ONE
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/** The levels of the simulated campaign: from how many tokens on, and how many per cent. */
const LEVELS = [
  ['40', '5'],
  ['200', '7'],
  ['500', '10'],
  ['1000', '12'],
  ['5000', '15'],
  ['50000', '20'],
] as const

/** The bonus of what is bought, in per cent, by the level that it reaches by itself; below the first level the first one's. */
function percentReached(tokens: bigint): bigint {
  const reached = LEVELS.findLast(([threshold]) => units(threshold) <= tokens)
  return units((reached ?? LEVELS[0])[1])
}

interface ApprovedOrder {
  readonly id: string
  readonly approved_via: 'chain' | 'operator'
  readonly base_tokens: string
  readonly bonus_tokens: string
  readonly usd: string
  readonly rate: string
  readonly price_usd: string
  readonly quoted_tokens: string
  readonly quoted_usd: string
  readonly credited: string
}

/** What is wrong with what an approved order gives for its money, to a buyer who held `balance` when it was quoted. */
export function whatBuysWhat(order: ApprovedOrder, balance: string): string[] {
  const base = units(order.base_tokens)
  const isAsQuoted = order.base_tokens === order.quoted_tokens
  const faults: string[] = []
  const usd = round(times(base, units(order.price_usd)), 2)
  if (units(order.usd) !== (isAsQuoted ? units(order.quoted_usd) : usd) && units(order.usd) !== usd)
    faults.push('its dollars are not its tokens times its price')
  const percent = max(percentReached(units(balance)), percentReached(base))
  if (units(order.bonus_tokens) !== round(times(base, percent) / 100n, 6))
    faults.push('its bonus is not by the better of the level held and the level reached')
  if (order.approved_via === 'chain' && base > mostFor(order, isAsQuoted))
    faults.push(`it gives more than was paid for: ${order.credited}`)
  return faults.map((fault) => `order gives otherwise: ${fault}: ${JSON.stringify(order)}`)
}

/**
 * The most tokens that the credited coins buy. A coin amount has 6 decimals, which is what rounding is worth; what was ordered may be short
 * by the smaller of 0.5 % and 50 cents.
 */
function mostFor({ credited, rate, price_usd, base_tokens }: ApprovedOrder, isAsQuoted: boolean): bigint {
  const rounding = units(rate) / 1_000_000n + units('0.000001')
  const bought = times(units(credited), units(rate)) + rounding
  if (!isAsQuoted) return bought
  return bought + min(units(base_tokens) / 200n, (units('0.5') * ONE) / max(1n, units(price_usd)))
}

/** Every payment in a block of this chain to one of our addresses, as one line each. */
export function shownOnChains(chain: SimulatedChain, ours: ReadonlySet<string>): string[] {
  const lines: string[] = []
  for (const { transaction, height } of chain.mined())
    for (const { addressKey, asset, amount } of transaction.outputs)
      if (ours.has(addressKey))
        lines.push(
          `${chain.network} ${transaction.id} ${addressKey.toLowerCase()} ${asset} ${trim(amount)} ${height}`,
        )
  return lines
}

const trim = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)
