// Rules: STAGE-7
/** Whether what was read at `at` (`Date.now()`) is younger than `ms`. A clock that was set back since makes it no younger. */
export function isYoungerThan(ms: number, at: number): boolean {
  const age = Date.now() - at
  return age >= 0 && age < ms
}

/** Makes a value at most once in `ms` milliseconds, however many ask for it. A failure is not kept. */
export function keptFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | undefined
  return () => {
    if (kept && isYoungerThan(ms, kept.at)) return kept.value
    const mine = { at: Date.now(), value: make() }
    kept = mine
    mine.value.catch(() => {
      if (kept === mine) kept = undefined
    })
    return mine.value
  }
}
