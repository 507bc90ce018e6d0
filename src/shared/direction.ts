/** By the script of most readers. */
export const isRightToLeft = (locale: string): boolean =>
  /Arab|Hebr/.test(`${new Intl.Locale(locale).maximize()}`)
