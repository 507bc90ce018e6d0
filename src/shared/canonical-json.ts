export type Canonical =
  | string
  | number
  | boolean
  | null
  | readonly Canonical[]
  | { readonly [name: string]: Canonical }

/**
 * RFC 8785: no spaces, names sorted by UTF-16 units, numbers and strings as in ECMAScript. Throws for
 * `undefined` and other values without a JSON form.
 */
export function canonicalJson(value: Canonical): string {
  if (Array.isArray(value)) return `[${value.map((item: Canonical) => canonicalJson(item)).join(',')}]`
  if (value === undefined) throw new TypeError('what is not there has no JSON')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}
