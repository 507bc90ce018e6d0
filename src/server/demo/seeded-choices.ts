import { createHash } from 'node:crypto'

export interface Choices {
  below(max: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

/** Predictable: for a demo's amounts only. */
export function createChoices(seed: string): Choices {
  let made = 0
  // The modulo bias is below one in a million for short lists.
  const below = (max: number) =>
    createHash('sha256').update(`${seed}:${made++}`).digest().readUIntBE(0, 6) % max
  return { below, pick: (list) => list[below(list.length)] ?? list[0] }
}
