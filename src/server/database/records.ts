type Field = string | null

const QUOTED = /["\\]/g

/**
 * Rows as PostgreSQL reads an array of a composite type: one parameter, `${recordsOf(rows)}::type[]`, whose rows need no query to be put
 * together. Bytes are written by `bytesOf`.
 */
export function recordsOf(rows: readonly (readonly Field[])[]): string {
  return `{${rows.map((row) => quoted(`(${row.map(fieldOf).join(',')})`)).join(',')}}`
}

/** Bytes as PostgreSQL reads them. */
export function bytesOf(bytes: Buffer | null): string | null {
  return bytes && `\\x${bytes.toString('hex')}`
}

function fieldOf(field: Field): string {
  return field === null ? '' : quoted(field)
}

function quoted(text: string): string {
  return `"${text.replaceAll(QUOTED, '\\$&')}"`
}
