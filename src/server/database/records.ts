type Field = string | null

/** Values that need no quotes in an array's row. An empty string would be null. */
const PLAIN = /^[\w-]+$/

/** Formats rows for one parameter: `${recordsOf(rows)}::type[]`. Format bytes with `bytesOf`. */
export function recordsOf(rows: readonly (readonly Field[])[]): string {
  return `{${rows.map((row) => `"(${row.map(fieldOf).join(',')})"`).join(',')}}`
}

export function bytesOf(bytes: Buffer | null): string | null {
  return bytes && `\\x${bytes.toString('hex')}`
}

/** Quotes for row and array in one step, because every order passes here. */
function fieldOf(field: Field): string {
  if (field === null) return ''
  if (PLAIN.test(field)) return field
  return `\\"${field.replaceAll('\\', String.raw`\\\\`).replaceAll('"', String.raw`\\\"`)}\\"`
}
