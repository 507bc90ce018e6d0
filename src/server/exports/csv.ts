/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is made a text by an apostrophe before it;
 * a plain number is none, so that amounts below zero stay amounts.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  const isPlain = /^-?\d{1,40}(\.\d{1,40})?$/.test(text)
  const safe = !isPlain && FORMULA.test(text) ? `'${text}` : text
  return /^[\w.:@/-]*$/.test(safe) ? safe : `"${safe.replaceAll('"', '""')}"`
}

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Begins a formula in some spreadsheet, the full-width forms included; space and control characters before it do not save. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const FORMULA = /^(?:[\s\u0000-\u001f\u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/

/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'
