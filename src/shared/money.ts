import { Decimal } from 'decimal.js'

/**
 * All money arithmetic. Amounts are decimal strings at every border (wire, database, props) and Decimal only inside a
 * function. Tokens, bonus and crypto amounts have 6 decimals, dollars 2, rounded half up (SPEC section 4).
 */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 60 })

export const amountDecimals = 6
export const usdDecimals = 2

/** Digits with at most one point and at most 6 decimals: what a person may type as an amount. No sign, exponent or full-width digits. */
const plainAmount = /^(?:\d{1,18}(?:\.\d{0,6})?|\.\d{1,6})$/

/** Whether `input` is an amount that can be taken as it is; one with more than 6 decimals is refused, never rounded. */
export function isAmount(input: string): boolean {
  return plainAmount.test(input) && input !== '.'
}

const exact = (value: string) => new Exact(value)

/** Trims trailing zeros: `40.500000` → `40.5`, `40.000000` → `40`. */
export function trimZeros(value: string): string {
  return exact(value).toFixed()
}

/** Writes `value` with exactly `decimals` decimals, rounded half up. */
export function roundTo(value: string, decimals: number): string {
  return exact(value).toFixed(decimals, Decimal.ROUND_HALF_UP)
}

/** Writes `value` with `decimals` decimals, rounded down: for percentages, so that 100 % means full. */
export function roundDownTo(value: string, decimals: number): string {
  return exact(value).toFixed(decimals, Decimal.ROUND_DOWN)
}

/** A number of tokens or of a coin as the API writes it: always 6 decimals. */
export function writeAmount(value: string): string {
  return roundTo(value, amountDecimals)
}

/** Dollars as the API writes them: always 2 decimals. */
export function writeUsd(value: string): string {
  return roundTo(value, usdDecimals)
}

export function add(a: string, b: string): string {
  return exact(a).plus(b).toFixed()
}

export function subtract(a: string, b: string): string {
  return exact(a).minus(b).toFixed()
}

export function sum(values: readonly string[]): string {
  return values.reduce((total, value) => total.plus(value), exact('0')).toFixed()
}

/** a × b in full, unrounded. */
export function multiply(a: string, b: string): string {
  return exact(a).times(b).toFixed()
}

/** a / b to 40 significant digits; round the result with one of the named roundings. */
export function divide(a: string, b: string): string {
  return exact(a).dividedBy(b).toFixed()
}

/** −1, 0 or 1. */
export function compare(a: string, b: string): number {
  return exact(a).comparedTo(b)
}

export const isPositive = (value: string) => compare(value, '0') > 0
export const isZero = (value: string) => compare(value, '0') === 0
export const smaller = (a: string, b: string) => (compare(a, b) <= 0 ? a : b)
export const larger = (a: string, b: string) => (compare(a, b) >= 0 ? a : b)

/** Dollars of a number of tokens at a price: rounded half up to cents, once per order. */
export function usdFromTokens(tokens: string, priceUsd: string): string {
  return roundTo(multiply(tokens, priceUsd), usdDecimals)
}

/** Tokens that `usd` buys at `priceUsd`, rounded down to the sixth decimal so that they never cost more. */
export function tokensFromUsd(usd: string, priceUsd: string): string {
  return roundDownTo(divide(usd, priceUsd), amountDecimals)
}

/** Crypto to send for `tokens` at `rate` tokens for one coin. */
export function cryptoFromTokens(tokens: string, rate: string): string {
  return roundTo(divide(tokens, rate), amountDecimals)
}

/** Tokens for an amount of crypto at `rate` tokens for one coin. */
export function tokensFromCrypto(crypto: string, rate: string): string {
  return roundTo(multiply(crypto, rate), amountDecimals)
}

/** `percent` of `amount`, to 6 decimals. */
export function percentOf(amount: string, percent: string): string {
  return roundTo(divide(multiply(amount, percent), '100'), amountDecimals)
}

/**
 * A rate as it is kept: 6 decimals or 12 significant digits, whichever is finer. `null` where it would be 0.
 */
export function keepRate(rate: string): string | null {
  const value = exact(rate)
  if (!value.isFinite() || value.lessThanOrEqualTo(0)) return null
  const finer = Math.max(amountDecimals, 12 - 1 - value.e)
  const kept = value.toDecimalPlaces(finer, Decimal.ROUND_HALF_UP)
  return kept.isZero() ? null : kept.toFixed()
}

/** A rate as it is shown: at most 6 decimals, trimmed; finer ones that would show as 0 keep their digits. */
export function showRate(rate: string): string {
  const shown = trimZeros(roundTo(rate, amountDecimals))
  return isZero(shown) ? trimZeros(rate) : shown
}

/** part / whole in per cent with `decimals` decimals, rounded down, kept in 0–100. */
export function percentDone(part: string, whole: string, decimals = 0): string {
  if (!isPositive(whole)) return roundDownTo('0', decimals)
  const percent = divide(multiply(part, '100'), whole)
  return roundDownTo(smaller(larger(percent, '0'), '100'), decimals)
}

/** The price with 2 decimals, or as many as it has. */
export function showPrice(priceUsd: string): string {
  const trimmed = trimZeros(priceUsd)
  const decimals = trimmed.split('.')[1]?.length ?? 0
  return roundTo(trimmed, Math.max(usdDecimals, decimals))
}
