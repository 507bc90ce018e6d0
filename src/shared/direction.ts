/** Whether a language is written from right to left, by the script that most of its readers use. */
export const isRightToLeft = (locale: string): boolean =>
  /Arab|Hebr/.test(`${new Intl.Locale(locale).maximize()}`)
