/** Cells that a spreadsheet only shows: nothing but this file makes one, whoever exports what (`test/architecture.test.ts`). */
export type CsvText = string & { readonly csv: never }

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula, wherever it
 * splits the file, is made a text by an apostrophe before it; a plain number is none, so that amounts below zero stay amounts.
 */
export function csvCell(value: unknown): CsvText {
  const text = defused(textOf(value))
  return (PLAIN.test(text) ? text : `"${text.replaceAll('"', '""')}"`) as CsvText
}

export function csvLine(cells: readonly unknown[], end = '\r\n'): CsvText {
  return `${cells.map(csvCell).join(',')}${end}` as CsvText
}

/** A whole file, the headings first, marked as UTF-8 for spreadsheets. */
export function csvFile(rows: readonly (readonly unknown[])[]): CsvText {
  return (BYTE_ORDER_MARK + joined(rows.map((row) => csvLine(row)))) as CsvText
}

/** Lines one after another. */
export function joined(lines: readonly CsvText[]): CsvText {
  return lines.join('') as CsvText
}

/** Tells a spreadsheet that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff' as CsvText

/** Nothing in it could end a cell; a single space between words does not. */
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

/** Begins a formula in some spreadsheet, the full-width forms included; space and control characters before it do not save. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const FORMULA = /^(?:[\s\u0000-\u001f\u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/
/**
 * The same behind a sign at which a spreadsheet may split the file in place of the comma, or end a line: where lists are separated by semicolons,
 * quotation marks hold nothing together that stands behind the first cell.
 */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const INNER_FORMULA = /[;|\t\r\n][\s\u0000-\u001f\u00a0\u200b\ufeff"]*(?=[=+\-@＝＋－＠])/g
