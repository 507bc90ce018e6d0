import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** So much of a password is judged: what is strong up to here stays strong, and judging takes longer the more there is. */
const JUDGED_LENGTH_MAX = 24
/** Of 0 to 4; from 3 on it takes more than 10^8 guesses. */
const SCORE_MIN = 3

let judge: Promise<ZxcvbnFactory> | undefined

/**
 * Whether somebody who tries leaked passwords, names, words and patterns first comes to this password soon. `hints` are what is known of
 * the person. The dictionaries, some 30 MB in memory, are loaded for the first password that is set.
 */
export async function isGuessedSoon(password: string, hints: readonly string[]): Promise<boolean> {
  judge ??= loadJudge()
  const known = hints.flatMap((hint) => [hint, ...hint.split(/[\s@.]+/)]).filter((word) => word.length > 2)
  return (await judge).check(password.slice(0, JUDGED_LENGTH_MAX), known).score < SCORE_MIN
}

async function loadJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Judge }, { adjacencyGraphs: graphs, dictionary: common }, { dictionary: english }] =
    await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
      import('@zxcvbn-ts/language-en'),
    ])
  return new Judge({ graphs, dictionary: { ...common, ...english } })
}
