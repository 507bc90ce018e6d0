/** What canonical JSON is made of here. */
export type Canonical =
  | string
  | number
  | boolean
  | null
  | readonly Canonical[]
  | { readonly [name: string]: Canonical }

/** JSON by RFC 8785: no spaces, names in the order of their UTF-16 units, numbers and strings as ECMAScript writes them. Throws on what has no JSON. */
export function canonicalJson(value: Canonical): string {
  if (Array.isArray(value)) return `[${value.map((item: Canonical) => canonicalJson(item)).join(',')}]`
  if (value === undefined) throw new TypeError('what is not there has no JSON')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}
