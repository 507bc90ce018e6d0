/**
 * Amounts are decimal strings at interfaces (JSON, database, props) and bigint units inside. Tokens, bonus
 * and crypto amounts have 6 decimals, dollars 2, rounded half up (docs/rules.md, “Numbers”).
 */
interface Exact {
  readonly units: bigint
  readonly decimals: number
}

// Rules: NUM-1
export const amountDecimals = 6
export const usdDecimals = 2
const rateDecimalsMax = 18
const rateWholeDigitsMax = 30
const quotientDecimals = 60

/** An amount as typed: no sign, exponent or full-width digits. */
const plainAmount = /^(?:\d{1,18}(?:\.\d{0,6})?|\.\d{1,6})$/

// Rules: NUM-3
/** More than 6 decimals are rejected, never rounded. */
export function isAmount(input: string): boolean {
  return plainAmount.test(input) && input !== '.'
}

/** Prices of sources may have an exponent. */
const decimalNumber = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i

const powerOfTen = (exponent: number) => 10n ** BigInt(exponent)

function read(value: string): Exact {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimalNumber.exec(value) ?? []
  if (whole + fraction === '') throw new RangeError(`Not a decimal number: ${value}`)
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const decimals = fraction.length - Number.parseInt(exponent, 10)
  return decimals < 0 ? { units: units * powerOfTen(-decimals), decimals: 0 } : { units, decimals }
}

function write({ units, decimals }: Exact): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${decimals > 0 ? '.' : ''}${digits.slice(point)}`
}

const writeTrimmed = (value: Exact) => {
  const text = write(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** `value` has no more decimals than `decimals`. */
const unitsAt = (value: Exact, decimals: number) => value.units * powerOfTen(decimals - value.decimals)

/** Half up rounds away from zero, down towards zero. */
function round(value: Exact, decimals: number, way: 'half up' | 'down'): Exact {
  if (value.decimals <= decimals) return { units: unitsAt(value, decimals), decimals }
  const step = powerOfTen(value.decimals - decimals)
  const half = way === 'down' ? 0n : (value.units < 0n ? -step : step) / 2n
  return { units: (value.units + half) / step, decimals }
}

function plus(a: Exact, b: Exact): Exact {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: unitsAt(a, decimals) + unitsAt(b, decimals), decimals }
}

const minus = (a: Exact, b: Exact) => plus(a, { ...b, units: -b.units })

/** `40.500000` → `40.5`, `40.000000` → `40`. */
export function trimZeros(value: string): string {
  return writeTrimmed(read(value))
}

// Rules: NUM-2
/** Rounded half up. */
export function roundTo(value: string, decimals: number): string {
  return write(round(read(value), decimals, 'half up'))
}

/** For percentages: 100 % means full. */
export function roundDownTo(value: string, decimals: number): string {
  return write(round(read(value), decimals, 'down'))
}

/** Formats tokens or coins for the API. */
export function writeAmount(value: string): string {
  return roundTo(value, amountDecimals)
}

/** Formats dollars for the API. */
export function writeUsd(value: string): string {
  return roundTo(value, usdDecimals)
}

export function add(a: string, b: string): string {
  return writeTrimmed(plus(read(a), read(b)))
}

export function subtract(a: string, b: string): string {
  return writeTrimmed(minus(read(a), read(b)))
}

export function sum(values: readonly string[]): string {
  return writeTrimmed(values.map(read).reduce(plus, { units: 0n, decimals: 0 }))
}

/** The product is exact. */
export function multiply(a: string, b: string): string {
  const [left, right] = [read(a), read(b)]
  return writeTrimmed({ units: left.units * right.units, decimals: left.decimals + right.decimals })
}

/** The quotient has 60 decimals, truncated; round it with a named rounding. */
export function divide(a: string, b: string): string {
  const [left, right] = [read(a), read(b)]
  const decimals = Math.max(quotientDecimals, left.decimals)
  return writeTrimmed({ units: unitsAt(left, decimals + right.decimals) / right.units, decimals })
}

export function compare(a: string, b: string): number {
  const { units } = minus(read(a), read(b))
  return units === 0n ? 0 : units > 0n ? 1 : -1
}

export const isPositive = (value: string) => compare(value, '0') > 0
export const isZero = (value: string) => compare(value, '0') === 0
export const smaller = (a: string, b: string) => (compare(a, b) <= 0 ? a : b)
export const larger = (a: string, b: string) => (compare(a, b) >= 0 ? a : b)

// Rules: NUM-4
/** Dollars are rounded half up to cents, once per order. */
export function usdFromTokens(tokens: string, priceUsd: string): string {
  return roundTo(multiply(tokens, priceUsd), usdDecimals)
}

// Rules: RATE-2
/** `rate`: tokens per coin. */
export function cryptoFromTokens(tokens: string, rate: string): string {
  return roundTo(divide(tokens, rate), amountDecimals)
}

/** `rate`: tokens per coin. */
export function tokensFromCrypto(crypto: string, rate: string): string {
  return roundTo(multiply(crypto, rate), amountDecimals)
}

export function percentOf(amount: string, percent: string): string {
  return roundTo(divide(multiply(amount, percent), '100'), amountDecimals)
}

// Rules: RATE-1
/**
 * The finer of 6 decimals and 12 significant digits, at most 18 decimals. Null for 0 or more than 30
 * integer digits.
 */
export function keepRate(rate: string): string | null {
  const value = read(rate)
  if (value.units <= 0n) return null
  const leading = value.units.toString().length - 1 - value.decimals
  const decimals = Math.min(rateDecimalsMax, Math.max(amountDecimals, 12 - 1 - leading))
  const kept = round(value, decimals, 'half up')
  return kept.units === 0n || leading >= rateWholeDigitsMax ? null : writeTrimmed(kept)
}

/** At most 6 decimals, trimmed; a finer rate that would show as 0 keeps its digits. */
export function showRate(rate: string): string {
  const shown = trimZeros(roundTo(rate, amountDecimals))
  return isZero(shown) ? trimZeros(rate) : shown
}

// Rules: NUM-5
/** Returns whole percent, rounded down and clamped to 0–100; two decimals below one percent. */
export function percentDone(part: string, whole: string): string {
  if (!isPositive(whole)) return '0'
  const percent = smaller(larger(divide(multiply(part, '100'), whole), '0'), '100')
  return compare(percent, '1') < 0 ? trimZeros(roundDownTo(percent, 2)) : roundDownTo(percent, 0)
}

// Rules: NUM-6
/** Shows 2 decimals, or more if the price has more. */
export function showPrice(priceUsd: string): string {
  const trimmed = trimZeros(priceUsd)
  const decimals = trimmed.split('.')[1]?.length ?? 0
  return roundTo(trimmed, Math.max(usdDecimals, decimals))
}
