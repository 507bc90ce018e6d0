import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { placesFrom, rootOf } from './giveaway-draw.ts'

/**
 * Draws one winner many times. An even draw stays below the limit for 999 of 1,000 seeds (99.9 % quantile, by
 * Wilson and Hilferty).
 */
export function chiSquareOf({
  draws,
  entries,
  seed,
}: {
  readonly draws: number
  readonly entries: number
  readonly seed: string
}): { readonly chiSquare: number; readonly limit: number } {
  const hash = (text: string) => sha256(utf8ToBytes(text))
  const commitments = Array.from({ length: entries }, (_, index) =>
    bytesToHex(hash(`entry ${index}`)),
  ).toSorted()
  const root = hexToBytes(rootOf(commitments))
  const leaves = commitments.map(hexToBytes)
  const wins = leaves.map(() => 0)
  for (let draw = 0; draw < draws; draw++)
    for (const winner of placesFrom(leaves, root, hash(`${seed} ${draw}`), 1))
      wins[winner] = (wins[winner] ?? 0) + 1
  const even = draws / entries
  const chiSquare = wins.reduce((sum, count) => sum + (count - even) ** 2 / even, 0)
  const freedom = entries - 1
  const limit = freedom * (1 - 2 / (9 * freedom) + 3.0902 * Math.sqrt(2 / (9 * freedom))) ** 3
  return { chiSquare, limit }
}
