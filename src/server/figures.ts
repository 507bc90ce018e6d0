import type { Language } from '../shared/languages.ts'

/** The maximum of `Intl.NumberFormat`; ledger values have fewer. */
const DECIMALS_MAX = 100

/** The language's grouping, Western digits, all decimals. */
export const figure = (value: string, language: Language, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, {
    useGrouping: true,
    maximumFractionDigits: DECIMALS_MAX,
    ...options,
  }).format(value as Intl.StringNumericLiteral)

export const dollars = (value: string, language: Language) =>
  figure(value, language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
  })
