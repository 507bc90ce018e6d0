// Rules: STAGE-7
/** Whether what was read at `at` (`Date.now()`) is younger than `ms`. A clock that was set back since makes it no younger. */
export function isYoungerThan(ms: number, at: number): boolean {
  const age = Date.now() - at
  return age >= 0 && age < ms
}
