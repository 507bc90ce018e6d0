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

/** The least accepted of 0 to 4: more than 10^8 guesses. */
export const strengthMin = 3

/** `why` is set if the password is rejected. */
export interface PasswordStrength {
  readonly strength: number
  readonly why: Weakness | null
}
