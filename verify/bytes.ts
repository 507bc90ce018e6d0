/** Standard base64 with padding. */
export function base64FromBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decodes standard base64 (RFC 4648, section 4); undefined for any other form. */
export function bytesFromBase64(text: string): Uint8Array | undefined {
  let decoded: string
  try {
    decoded = atob(text)
  } catch {
    return undefined
  }
  if (btoa(decoded) !== text) return undefined
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0))
}

export function hexFromBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Undefined if the bytes are no UTF-8. */
export function textFromBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function bytesFromText(text: string): Uint8Array {
  return encoder.encode(text)
}
