import { z } from 'zod'

/*
 * A name is shown in one line with figures. Rejects characters that reorder the following text (embeddings,
 * overrides, isolates), break the line or break an image: `12 %` after an override reads `% 21`. Direction
 * marks are allowed.
 */
const inLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u
const seen = /(?!\p{DI})[\p{L}\p{N}\p{P}\p{S}]/u

const leavesLine = 'control_characters'
const unseen = 'label_missing'

export const nameInLine = (max: number) => z.string().trim().max(max).regex(inLine, leavesLine)

/** `short`: the error for fewer than `min` letters. */
export const shownName = (max: number, min = 1, short?: string) =>
  // A short name has only this error.
  nameInLine(max).min(min, { error: short, abort: true }).regex(seen, unseen)

/** Undefined for a valid name; an empty one is not checked. */
export const faultOfName = (name: string): string | undefined =>
  inLine.test(name) ? (seen.test(name) ? undefined : unseen) : leavesLine
