import { sha256 } from '@noble/hashes/sha2.js'
import { type CheckedHolding, checkHolding, isHolder } from '../../../../verify/holdings.ts'
import { cosignersOf, parseVerifierKey, parseWitnessKey } from '../../../../verify/notes.ts'
import { holdingRoutes } from '../../../shared/api/holdings.ts'
import { call } from '../../area/call.ts'

export interface OwnHolding extends Pick<CheckedHolding, 'leaf' | 'tokens' | 'sum'> {
  /** As the file holds it. */
  text: string
  index: number
  vkey: string
  /** True if the leaf has the account's current address. */
  isOwn: boolean
  /** Witnesses that also signed the checkpoint. */
  seenBy: string[]
}

/** Null before the first tree, only the day if no leaf is ours. Throws the reason if the check fails. */
export async function readHolding(email: string): Promise<OwnHolding | { day: string } | null> {
  const { day, file, vkey, witnesses } = await call(holdingRoutes.proof)
  if (day === null || vkey === null) return null
  if (file === null) return { day }
  const { leaf, tokens, sum, proven } = await checkHolding(sha256, file, parseVerifierKey(sha256, vkey))
  const keys = witnesses.map((key) => parseWitnessKey(sha256, key))
  const seenBy = (await cosignersOf(proven.checkpoint.text, keys)).map(({ key }) => key.name)
  return {
    text: file,
    leaf,
    tokens,
    sum,
    index: proven.index,
    vkey,
    isOwn: isHolder(sha256, leaf, email),
    seenBy,
  }
}
