import { readFileSync } from 'node:fs'

const lists = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split(/^\[.+\]$/m)
const [, passwords = [], words = [], runs = []] = lists.map((list) => list.trim().split(/\s+/))

/** At least 10 characters, lower case. `passwords.ts` covers their variations. */
export const commonPasswords: ReadonlySet<string> = new Set(passwords)

/** Words that make a password common despite added digits and signs. */
export const commonWords: ReadonlySet<string> = new Set(words)

/** Keyboard rows, alphabets and digits: a part of one is weak, also backwards. */
export const commonRuns: readonly string[] = runs
