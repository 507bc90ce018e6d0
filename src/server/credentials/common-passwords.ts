import { readFileSync } from 'node:fs'

const lists = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split(/^\[.+\]$/m)
const [, passwords = [], words = [], runs = []] = lists.map((list) => list.trim().split(/\s+/))

/**
 * The passwords of 10 characters and more that people choose most, from what the yearly lists agree on, in lower case.
 * The rules in `passwords.ts` catch their countless variations; this list holds what rules can't see.
 */
export const commonPasswords: ReadonlySet<string> = new Set(passwords)

/** Words that make a password common whatever digits and signs are put around them. */
export const commonWords: ReadonlySet<string> = new Set(words)

/** Rows of keyboards, the alphabets and the digits: a part of one is soon guessed, forwards or backwards. */
export const commonRuns: readonly string[] = runs
