/** The hash of the embedding frame's key. */
export function frameOf(search: URLSearchParams): string | null {
  const frame = search.get('frame') ?? ''
  return /^[\w-]{43}$/.test(frame) ? frame : null
}
