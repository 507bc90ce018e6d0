export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** JSON by RFC 8785. Throws a TypeError for a lone surrogate, which has no canonical form. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  let text = ''
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(value[name] as Json)}`
  }
  return `{${text}}`
}

/**
 * Printable ASCII without quotation mark and backslash, which needs no escaping; nearly every text of a log.
 */
const PLAIN = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new TypeError('Half of a surrogate pair has no canonical form.')
  return JSON.stringify(text)
}

/** Undefined for a text that is not its own canonical JSON. */
export function parseCanonical(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return canonicalJson(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
