/** True for a right-to-left language, by the script of most readers. */
export const isRightToLeft = (locale: string): boolean =>
  /Arab|Hebr/.test(`${new Intl.Locale(locale).maximize()}`)
