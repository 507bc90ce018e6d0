import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { drawFrom, rootOf } from './giveaway-draw.ts'

/**
 * Draws one winner many times, each time from the same entries and another random value, and measures how far the counts are from even ones.
 * An even draw stays below the limit in 999 of 1,000 seeds (99.9 % quantile, by Wilson and Hilferty).
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
  const hash = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))
  const commitments = Array.from({ length: entries }, (_, index) => hash(`entry ${index}`)).toSorted()
  const root = rootOf(commitments)
  const wins = new Map<string, number>()
  for (let draw = 0; draw < draws; draw++) {
    const [winner = ''] = drawFrom(commitments, root, hash(`${seed} ${draw}`), 1)
    wins.set(winner, (wins.get(winner) ?? 0) + 1)
  }
  const even = draws / entries
  const chiSquare = commitments.reduce((sum, leaf) => sum + ((wins.get(leaf) ?? 0) - even) ** 2 / even, 0)
  const freedom = entries - 1
  const limit = freedom * (1 - 2 / (9 * freedom) + 3.0902 * Math.sqrt(2 / (9 * freedom))) ** 3
  return { chiSquare, limit }
}
