/** A typed or pasted decimal. */
export interface TypedDecimal {
  /** The field's text: a plain decimal, or the original if it is ambiguous. */
  text: string
  /** Three more digits may turn the comma into a grouping. */
  byComma: boolean
}

/** One number with groupings, among words: `Rs. 1 250,50` matches, `100 USDT (TRC20)` has two. */
const oneNumber = /^\D*?([.,]?\d(?:[\d.,]|(?<=\d)['’\p{Zs}](?=\d))*)\D*$/u
const bothWays = /^[1-9]\d{0,2},\d{3}$/
const bothWaysByPoint = /^[1-9]\d{0,2}\.\d{3}$/
const groupedByComma = /^[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d*|,)|(?:,\d{3}){2,})$/
const groupedByPoint = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/

/** True if `100.000` is a hundred thousand. */
const groupsByPoint = (locale: string) =>
  new Intl.NumberFormat(locale)
    .formatToParts(100_000)
    .some(({ type, value }) => type === 'group' && value === '.')

const belowZero = /^\s*[-−][.,]?\d/
const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** A script's digits are consecutive from a code that ends in 0 or 6; other characters stay. */
function ownDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const row = code - (code % 16)
  const zero = isDigit(row) ? row : row + 6
  return isDigit(zero) && !isDigit(zero - 1) ? String(code - zero) : digit
}

const inOwnDigits = (text: string) =>
  text
    .replace(/\p{Nd}/gu, ownDigit)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')

/**
 * Parses English, Russian or German format: `100,000.5`, `100 000,5` and `100.000,5` are equal. A lone comma
 * is a decimal point unless it could be a grouping; then it stays, and the person is asked. A lone point is
 * ambiguous in a language that groups by it (`100.000` in Spanish) and is then stored as a comma. A text with
 * two numbers or a negative one stays unchanged, which is no valid decimal.
 */
export function typedDecimal(asTyped: string, locale = 'en'): TypedDecimal {
  const typed = inOwnDigits(asTyped)
  const number = belowZero.test(typed) ? undefined : oneNumber.exec(typed)?.[1]
  if (number === undefined && /\p{Nd}/u.test(typed)) return { text: asTyped, byComma: false }
  const kept = (number ?? typed).replace(/[^\d.,]/g, '')
  if (bothWays.test(kept)) return { text: kept, byComma: true }
  if (bothWaysByPoint.test(kept) && groupsByPoint(locale))
    return { text: kept.replace('.', ','), byComma: true }
  if (groupedByComma.test(kept)) return { text: kept.replaceAll(',', ''), byComma: false }
  if (groupedByPoint.test(kept)) {
    return { text: kept.replaceAll('.', '').replace(',', '.'), byComma: kept.includes(',') }
  }
  const [whole = '', ...rest] = kept.split(/[.,]/)
  return {
    text: rest.length > 0 ? `${whole}.${rest.join('')}` : whole,
    byComma: kept[whole.length] === ',',
  }
}

/** The point shown after the first key may have been a comma. */
export function typedOn(before: TypedDecimal, typed: string, locale = 'en'): TypedDecimal {
  const isSamePoint =
    before.byComma && !typed.includes(',') && typed.indexOf('.') === before.text.search(/[.,]/)
  return typedDecimal(isSamePoint ? typed.replace('.', ',') : typed, locale)
}

/** Both meanings of an ambiguous text; undefined for others. */
export function readingsOf(text: string): readonly [grouped: string, fraction: string] | undefined {
  return bothWays.test(text) ? [text.replace(',', ''), text.replace(',', '.')] : undefined
}
