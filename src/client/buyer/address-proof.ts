import { sha256 } from '@noble/hashes/sha2.js'
import { checkAddress } from '../../../verify/addresses.ts'
import { parseVerifierKey } from '../../../verify/notes.ts'

/** What a file proves of an address, as this browser has found. */
export interface CheckedOrigin {
  /** Null where it is the same for all orders of its currency. */
  wallet: { number: number; index: number } | null
  /** As the signed entry says, whatever else the server says of it. */
  announcedAt: string
}

/**
 * Checks here that the journal with this key announced the address that a page shows; throws what is wrong with it. Nothing but the file
 * and the key decides.
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
