// Exact decimals: integer units of 10⁻¹⁸, the finest of the journal.

const DIGITS = 18
const ONE = 10n ** BigInt(DIGITS)
const CENT = ONE / 100n

export const WHOLE = ONE

/** In the journal's format, with at most `digits` decimals; undefined for others. */
export function parseAmount(text: unknown, digits: number): bigint | undefined {
  if (typeof text !== 'string' || text.length > 80) return undefined
  if (!/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text)) return undefined
  const point = text.indexOf('.')
  return point !== -1 && text.length - point - 1 > digits ? undefined : scaled(text, point)
}

/** Optional sign and trailing zeros; undefined for others. */
export function parseDecimal(text: unknown): bigint | undefined {
  const plain = typeof text === 'number' ? String(text) : text
  if (typeof plain !== 'string' || plain.length > 80) return undefined
  if (!/^-?\d+(?:\.\d{1,18})?$/.test(plain)) return undefined
  const isNegative = plain.startsWith('-')
  const digits = isNegative ? plain.slice(1) : plain
  const value = scaled(digits, digits.indexOf('.'))
  return isNegative ? -value : value
}

/** Also with an exponent; undefined if it needs more than 18 decimals. */
export function unitsOfJson(written: string): bigint | undefined {
  const [number = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = number.split('.')
  const zeros = DIGITS - fraction.length + Number(exponent)
  return zeros < 0 || zeros > 2 * DIGITS ? undefined : BigInt(whole + fraction) * 10n ** BigInt(zeros)
}

/** Digits that a float holds exactly. */
const SAFE_LENGTH = 15
/** The value of one unit of the last decimal, by number of decimals. */
const UNITS = Array.from({ length: DIGITS + 1 }, (_, decimals) => 10n ** BigInt(DIGITS - decimals))

function scaled(text: string, point: number): bigint {
  if (text.length <= SAFE_LENGTH) {
    const decimals = point === -1 ? 0 : text.length - point - 1
    const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1)
    return BigInt(Number(digits)) * (UNITS[decimals] as bigint)
  }
  if (point === -1) return BigInt(text) * ONE
  return BigInt((text.slice(0, point) + text.slice(point + 1)).padEnd(point + DIGITS, '0'))
}

export function formatDecimal(value: bigint): string {
  const size = value < 0n ? -value : value
  const fraction = (size % ONE).toString().padStart(DIGITS, '0').replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`
}

/** a × b, rounded half up to cents. */
export function productToCent(a: bigint, b: bigint): bigint {
  return ((2n * a * b + CENT * ONE) / (2n * CENT * ONE)) * CENT
}

export const HALF_DOLLAR = ONE / 2n

/** a × b, rounded down. */
export function product(a: bigint, b: bigint): bigint {
  return (a * b) / ONE
}

/** a ÷ b, rounded down. */
export function quotient(a: bigint, b: bigint): bigint {
  return (a * ONE) / b
}

/** Percent from 0 to 100, rounded down to integers, or two decimals below one. */
export function percentOf(part: bigint, whole: bigint): bigint {
  if (whole <= 0n || part <= 0n) return 0n
  const hundredths = (part * 10_000n) / whole
  if (hundredths < 100n) return (hundredths * ONE) / 100n
  const percent = hundredths / 100n
  return (percent > 100n ? 100n : percent) * ONE
}
