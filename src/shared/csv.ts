/** Text that is safe in a CSV cell. Only this file makes it (`test/architecture.test.ts`). */
export type CsvText = string & { readonly csv: never }

/**
 * RFC 4180. A text that a spreadsheet could run as a formula, wherever it splits the file, gets an apostrophe
 * in front; a plain number does not.
 */
export function csvCell(value: unknown): CsvText {
  const text = defused(textOf(value))
  return (PLAIN.test(text) ? text : `"${text.replaceAll('"', '""')}"`) as CsvText
}

export function csvLine(cells: readonly unknown[], end = '\r\n'): CsvText {
  return `${cells.map(csvCell).join(',')}${end}` as CsvText
}

/** Headings first, marked as UTF-8. */
export function csvFile(rows: readonly (readonly unknown[])[]): CsvText {
  return (BYTE_ORDER_MARK + joined(rows.map((row) => csvLine(row)))) as CsvText
}

export function joined(lines: readonly CsvText[]): CsvText {
  return lines.join('') as CsvText
}

/** Marks the file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\ufeff' as CsvText

/** Text that needs no quotes. */
const PLAIN = /^(?:[\w.:@/-]+(?: [\w.:@/-]+)*)?$/

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function defused(text: string): string {
  if (/^-?\d{1,40}(\.\d{1,40})?$/.test(text)) return text
  const inner = text.replace(INNER_FORMULA, "$&'")
  return FORMULA.test(text) ? `'${inner}` : inner
}

/**
 * Starts a formula in some spreadsheet, also in full-width form; spaces and control characters in front do
 * not help.
 */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const FORMULA = /^(?:[\s\u0000-\u001f\u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/
/**
 * The same after a character at which a spreadsheet may split. With semicolons as separators, quotation marks
 * protect only the first cell.
 */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const INNER_FORMULA = /[;|\t\r\n][\s\u0000-\u001f\u00a0\u200b\ufeff"]*(?=[=+\-@＝＋－＠])/g
