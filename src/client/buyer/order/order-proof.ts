import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { checkInclusion } from '../../../../verify/inclusion.ts'
import { cosignersOf, parseVerifierKey, parseWitnessKey } from '../../../../verify/notes.ts'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'

// Rules: LOG-7
export interface CheckedProof {
  text: string
  index: number
  size: number
  vkey: string
  /** Witnesses that also signed the checkpoint, and when. */
  seenBy: { name: string; at: string }[]
}

/** Null if there is no proof yet. Throws the reason if the check fails. */
export async function readProof(order: BuyerOrder): Promise<CheckedProof | null> {
  const { proof, vkey, witnesses } = await call(orderRoutes.proof, { params: { token: order.token } })
  if (proof === null || vkey === null) return null
  const { index, entry, checkpoint } = await checkInclusion(sha256, proof, parseVerifierKey(sha256, vkey))
  expectSays(JSON.parse(entry), order)
  const keys = witnesses.map((key) => parseWitnessKey(sha256, key))
  const seenBy = (await cosignersOf(checkpoint.text, keys)).map(({ key, seconds }) => ({
    name: key.name,
    at: new Date(Number(seconds) * 1000).toISOString(),
  }))
  return { text: proof, index, size: checkpoint.size, vkey, seenBy }
}

/** Throws if the proof is about another order or other amounts. */
function expectSays(entry: Record<string, unknown>, order: BuyerOrder): void {
  const expected = {
    kind: 'order.approved',
    order: bytesToHex(sha256(utf8ToBytes(order.token))),
    way: order.approvedVia,
    currency: order.currency,
    base: withoutZeros(order.baseTokens),
    bonus: withoutZeros(order.bonusTokens),
    usd: withoutZeros(order.usd),
  }
  for (const [name, value] of Object.entries(expected))
    if (entry[name] !== value)
      throw new Error(`the journal says ${name}: ${String(entry[name])}, this page ${String(value)}`)
}

const withoutZeros = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)
