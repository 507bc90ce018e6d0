import { sha256 } from '@noble/hashes/sha2.js'
import { checkAddress } from '../../../verify/addresses.ts'
import { parseVerifierKey } from '../../../verify/notes.ts'
import { type BuyerOrder, orderRoutes } from '../../shared/api/orders.ts'
import { call } from '../area/call.ts'

const NEW_MS = 24 * 3600 * 1000

/** Where an order's address comes from, as this browser has checked it. */
export type AddressOrigin =
  | { state: 'unsaid' | 'other' | 'escrow' }
  | {
      state: 'checked'
      /** Null where it is the same for all orders of its currency. */
      wallet: { number: number; index: number } | null
      announcedAt: string
      /** A wallet that was announced less than a day ago: whoever swaps one is noticed by then. */
      isNew: boolean
      /** As it stays good without this site. */
      file: string
    }

/** Fetches the proof of an order's address and checks it here; throws what is wrong with it. */
export async function readOrigin({ token, address }: BuyerOrder): Promise<AddressOrigin> {
  const { state, announcedAt, file, vkey } = await call(orderRoutes.addressProof, { params: { token } })
  if (state === 'unsaid' || state === 'other' || state === 'escrow') return { state }
  if (file === null || vkey === null || announcedAt === null) return { state: 'unsaid' }
  const checked = await checkAddress(sha256, file, parseVerifierKey(sha256, vkey))
  if (checked.address !== address) throw new Error(`${checked.address} ≠ ${address}`)
  const isNew = checked.wallet !== null && Date.now() - Date.parse(announcedAt) < NEW_MS
  return { state: 'checked', wallet: checked.wallet, announcedAt, isNew, file }
}
