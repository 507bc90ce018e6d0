import type { Language } from '../shared/languages.ts'

/** As many as a number can be written with; none of the ledger's has so many. */
const DECIMALS_MAX = 100

/** Grouped as the pages of the language do it, in Western digits, with each decimal that the ledger has. */
export const figure = (value: string, language: Language, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, {
    useGrouping: true,
    maximumFractionDigits: DECIMALS_MAX,
    ...options,
  }).format(value as Intl.StringNumericLiteral)

/** Dollars as the pages of the language write them. */
export const dollars = (value: string, language: Language) =>
  figure(value, language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
  })
