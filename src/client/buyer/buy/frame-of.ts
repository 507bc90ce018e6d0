/** The hash of the key of the frame on another site that led here; null where none did. */
export function frameOf(search: URLSearchParams): string | null {
  const frame = search.get('frame') ?? ''
  return /^[\w-]{43}$/.test(frame) ? frame : null
}
