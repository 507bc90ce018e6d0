/** What was typed or pasted as a decimal. */
export interface TypedDecimal {
  /** What stays in the field: a plain decimal, or what was typed where that can be two numbers. */
  text: string
  /** Whether the point in `text` was typed as a comma, which three digits later may turn out to have been a grouping. */
  byComma: boolean
}

/** One number, with what parts its groups, beside words: `Rs. 1 250,50` is one, `100 USDT (TRC20)` is two. */
const oneNumber = /^\D*?([.,]?\d(?:[\d.,]|(?<=\d)['’\p{Zs}](?=\d))*)\D*$/u
const bothWays = /^[1-9]\d{0,2},\d{3}$/
const bothWaysByPoint = /^[1-9]\d{0,2}\.\d{3}$/
const groupedByComma = /^[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d*|,)|(?:,\d{3}){2,})$/
const groupedByPoint = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/

/** Whether a language writes a hundred thousand as `100.000`. */
const groupsByPoint = (locale: string) =>
  new Intl.NumberFormat(locale)
    .formatToParts(100_000)
    .some(({ type, value }) => type === 'group' && value === '.')

const belowZero = /^\s*[-−][.,]?\d/
const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** A digit of another script as one of ours. Those of a script follow each other, from a code that ends in 0 or 6; of others nothing is made. */
function ownDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const row = code - (code % 16)
  const zero = isDigit(row) ? row : row + 6
  return isDigit(zero) && !isDigit(zero - 1) ? String(code - zero) : digit
}

/** With our digits, point and comma: `١٬٠٠٠٫٥` is `1,000.5`. */
const inOwnDigits = (text: string) =>
  text
    .replace(/\p{Nd}/gu, ownDigit)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')

/**
 * Reads a number as it is written in English, Russian or German: `100,000.5`, `100 000,5` and `100.000,5` are one
 * number. A lone comma is a decimal point unless it can be a grouping too: then it stays, and whoever typed it is asked. So is who typed
 * a lone point in a language that groups by it (`100.000` in Spanish), which then stands as a comma.
 * What holds two numbers, or one below zero, stays as well, which is no decimal: put together, or without its sign, it would be one that
 * nobody wrote.
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

/** Goes on reading after the first key: the point that the field shows may have been typed as a comma. */
export function typedOn(before: TypedDecimal, typed: string, locale = 'en'): TypedDecimal {
  const isSamePoint =
    before.byComma && !typed.includes(',') && typed.indexOf('.') === before.text.search(/[.,]/)
  return typedDecimal(isSamePoint ? typed.replace('.', ',') : typed, locale)
}

/** The two numbers that a text left by `typedDecimal` can be; undefined where it can be only one. */
export function readingsOf(text: string): readonly [grouped: string, fraction: string] | undefined {
  return bothWays.test(text) ? [text.replace(',', ''), text.replace(',', '.')] : undefined
}
