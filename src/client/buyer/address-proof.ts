import { sha256 } from '@noble/hashes/sha2.js'
import { checkAddress } from '../../../verify/addresses.ts'
import { parseVerifierKey } from '../../../verify/notes.ts'

export interface CheckedOrigin {
  /** Null if all orders of the currency share the address. */
  wallet: { number: number; index: number } | null
  /** As the signed entry says. */
  announcedAt: string
}

/**
 * Uses only the file and the key. Throws the reason if the journal with this key did not announce the
 * address on the page.
 */
export async function checkOrigin(address: string, file: string, vkey: string): Promise<CheckedOrigin> {
  const {
    address: proven,
    wallet,
    announcedAt,
  } = await checkAddress(sha256, file, parseVerifierKey(sha256, vkey))
  if (proven !== address) throw new Error(`${proven} ≠ ${address}`)
  return { wallet, announcedAt }
}
