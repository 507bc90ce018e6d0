import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { type PasswordStrength, strengthMin, type Weakness } from '../../shared/password-strength.ts'

/** So much of a password is judged: what is strong up to here stays strong, and judging takes longer the more there is. */
const JUDGED_LENGTH_MAX = 24

let judge: Promise<ZxcvbnFactory> | undefined

/** The library's words for what it found, which it gives as keys where no translation is set. */
const weaknessOf: Readonly<Record<string, Weakness>> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'personal',
}

/**
 * How soon somebody who tries leaked passwords, names, words and patterns first comes to this password. `hints` are what is known of
 * the person. The dictionaries, some 30 MB in memory, are loaded for the first password that is judged.
 */
export async function guess(password: string, hints: readonly string[]): Promise<PasswordStrength> {
  judge ??= loadJudge()
  const known = hints
    .flatMap((hint) => [hint, ...hint.split(/[\s@]+/), ...hint.split(/[\s@.]+/)])
    .filter((word) => word.length > 2)
  const { score, feedback } = (await judge).check(password.slice(0, JUDGED_LENGTH_MAX), known)
  const why = score < strengthMin ? (weaknessOf[feedback.warning ?? ''] ?? 'guessable') : null
  return { strength: score, why }
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
