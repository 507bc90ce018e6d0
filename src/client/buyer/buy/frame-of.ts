/** The hash of the embedding frame's key from the address; null if there is none. */
export function frameOf(search: URLSearchParams): string | null {
  const frame = search.get('frame') ?? ''
  return /^[\w-]{43}$/.test(frame) ? frame : null
}
