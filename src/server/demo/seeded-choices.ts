import { createHash } from 'node:crypto'

export interface Choices {
  /** A whole number from 0 up to but not including `max`. */
  below(max: number): number
  pick<T>(list: readonly [T, ...T[]]): T
}

/** The same seed makes the same choices. Serves a demo's amounts only, because the seed tells every choice. */
export function createChoices(seed: string): Choices {
  let made = 0
  // The remainder favours small numbers by less than one in a million for lists as short as a demo's.
  const below = (max: number) =>
    createHash('sha256').update(`${seed}:${made++}`).digest().readUIntBE(0, 6) % max
  return { below, pick: (list) => list[below(list.length)] ?? list[0] }
}
