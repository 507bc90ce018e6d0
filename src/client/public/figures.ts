import { isRightToLeft } from '../../shared/direction.ts'

/*
 * Formats figures for the server's rendering and the islands. Amounts are decimal strings, which Intl formats
 * exactly.
 */
const numeric = (value: string) => value as Intl.StringNumericLiteral

/** In right-to-left text, figures are English and isolated, so that sign and parts stay in order. */
const numberLocale = (locale: string) => (isRightToLeft(locale) ? 'en' : latin(locale))
const apart = (text: string, locale: string) => (isRightToLeft(locale) ? `\u2066${text}\u2069` : text)

/** Western digits in every language. */
export const latin = (locale: string) => `${locale}-u-nu-latn`

/** The percent sign with the spacing before it. */
const percentSign = (locale: string) =>
  new Intl.NumberFormat(numberLocale(locale), { style: 'percent' })
    .formatToParts(0)
    .map(({ type, value }) => (type === 'integer' ? '' : value))
    .join('')

function decimalsOf(value: string): number {
  const trimmed = value.includes('.') ? value.replace(/0+$/, '') : value
  return trimmed.split('.')[1]?.length ?? 0
}

export function dollars(value: string, locale: string, decimals: number | 'price' = 2): string {
  const places = decimals === 'price' ? Math.max(2, decimalsOf(value)) : decimals
  const written = new Intl.NumberFormat(numberLocale(locale), {
    useGrouping: true,
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    roundingMode: places === 0 ? 'trunc' : 'halfExpand',
  } as Intl.NumberFormatOptions).format(numeric(value))
  return apart(written, locale)
}

/** Dollars without cents if they are zero. */
export const wholeDollars = (value: string, locale: string) =>
  dollars(value, locale, decimalsOf(value) === 0 ? 0 : 2)

/** At most `decimals` decimals, without trailing zeros. */
export function amount(value: string, locale: string, decimals = 6): string {
  const written = new Intl.NumberFormat(numberLocale(locale), {
    useGrouping: true,
    maximumFractionDigits: decimals,
  }).format(numeric(value))
  return apart(written, locale)
}

export function percent(value: string, locale: string): string {
  const written = amount(value, locale, 2)
  return apart(written + percentSign(locale), locale)
}

/** `15 minutes`. */
export function duration(value: string, locale: string, unit: 'minute' | 'day'): string {
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(latin(locale), style).format(numeric(value))
}

export function longDate(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(latin(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}

export function moment(iso: string, locale: string): string {
  const written = new Intl.DateTimeFormat(latin(locale), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(iso))
  return `${written} UTC`
}

/** Rounded up, so that zero means over. */
export function countdown(leftMs: number): { days: number; clock: string } {
  const left = Math.max(0, Math.ceil(leftMs / 1000))
  const two = (part: number) => String(part).padStart(2, '0')
  return {
    days: Math.floor(left / 86_400),
    clock: `${two(Math.floor(left / 3_600) % 24)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`,
  }
}
