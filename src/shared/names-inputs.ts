import { z } from 'zod'

/*
 * A name stands in one line with figures. What would turn the letters behind it (embeddings, overrides and isolates of direction), begin another
 * line or break a picture is refused: `12 %` behind an override reads `% 21`. The marks of direction turn no figure.
 */
const inLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u
const seen = /(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}]/u

const leavesLine = 'control_characters'
const unseen = 'label_missing'

export const nameInLine = (max: number) => z.string().trim().max(max).regex(inLine, leavesLine)

/** The same with something in it that is seen; `short` says where it has fewer letters than `min`. */
export const shownName = (max: number, min = 1, short?: string) =>
  // What is too short says no more than that.
  nameInLine(max).min(min, { error: short, abort: true }).regex(seen, unseen)

/** What is wrong with a name that is no empty one; undefined where nothing is. */
export const faultOfName = (name: string): string | undefined =>
  inLine.test(name) ? (seen.test(name) ? undefined : unseen) : leavesLine
