type Field = string | null

/** What stands in a row of an array without quotes: no letter of it means anything there. What is empty would be null. */
const PLAIN = /^[\w-]+$/

/**
 * Rows as PostgreSQL reads an array of a composite type: one parameter, `${recordsOf(rows)}::type[]`, whose rows need no query to be put
 * together. Bytes are written by `bytesOf`.
 */
export function recordsOf(rows: readonly (readonly Field[])[]): string {
  return `{${rows.map((row) => `"(${row.map(fieldOf).join(',')})"`).join(',')}}`
}

/** Bytes as PostgreSQL reads them. */
export function bytesOf(bytes: Buffer | null): string | null {
  return bytes && `\\x${bytes.toString('hex')}`
}

/** Quoted for the row, and what that takes once more for the array: in one go, because each order comes by here. */
function fieldOf(field: Field): string {
  if (field === null) return ''
  if (PLAIN.test(field)) return field
  return `\\"${field.replaceAll('\\', String.raw`\\\\`).replaceAll('"', String.raw`\\\"`)}\\"`
}
