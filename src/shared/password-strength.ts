/** Why a password is guessed soon. */
export const weaknesses = [
  'common',
  'personal',
  'keyboard',
  'sequence',
  'repeat',
  'date',
  'word',
  'name',
  'guessable',
] as const
export type Weakness = (typeof weaknesses)[number]

/** From this of 0 to 4 on a password is taken: more than 10^8 guesses come before it. */
export const strengthMin = 3

/** How soon a password is guessed, from 0 (at once) to 4; `why` where it is not taken. */
export interface PasswordStrength {
  readonly strength: number
  readonly why: Weakness | null
}
