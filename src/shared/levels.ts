import { compare, percentDone, percentOf } from './money.ts'

export interface LevelRule {
  readonly threshold: string
  readonly bonusPercent: string
}

/** The index is −1 below the first threshold. Levels are sorted by threshold. */
export function levelIndexReached(levels: readonly LevelRule[], tokens: string): number {
  return levels.findLastIndex((level) => compare(tokens, level.threshold) >= 0)
}

// Rules: BONUS-1
/** The index is at least that of the first level. */
export function levelIndexHeld(levels: readonly LevelRule[], balance: string): number {
  return Math.max(0, levelIndexReached(levels, balance))
}

export interface Bonus {
  readonly levelIndex: number
  readonly percent: string
  readonly bonusTokens: string
}

// Rules: BONUS-2
/**
 * The bonus is base × the higher percent of the level held and the level that the base reaches
 * (docs/rules.md, “Bonus and level”). A base below the first threshold gets the held level's percent.
 */
export function bonusFor(levels: readonly LevelRule[], balance: string, baseTokens: string): Bonus {
  const held = levelIndexHeld(levels, balance)
  const reached = levelIndexHeld(levels, baseTokens)
  const heldPercent = levels[held]?.bonusPercent ?? '0'
  const reachedPercent = levels[reached]?.bonusPercent ?? '0'
  const better = compare(reachedPercent, heldPercent) > 0 ? reached : held
  const percent = levels[better]?.bonusPercent ?? '0'
  return { levelIndex: better, percent, bonusTokens: percentOf(baseTokens, percent) }
}

// Rules: BONUS-5
/** In whole percent: balance ÷ next threshold; 100 at the top. */
export function levelProgress(levels: readonly LevelRule[], balance: string): string {
  const next = levels[levelIndexReached(levels, balance) + 1]
  return next ? percentDone(balance, next.threshold) : '100'
}

/**
 * The place on the buy page's bar: 0 below the first level, 100 above the maximum, else the level's index ×
 * 20, clamped to 1–99.
 */
export function amountBar(levels: readonly LevelRule[], tokens: string, maximum: string): number {
  const reached = levelIndexReached(levels, tokens)
  if (reached < 0) return 0
  if (compare(tokens, maximum) > 0) return 100
  return Math.min(99, Math.max(1, reached * 20))
}
