// Rules: STAGE-7
/** `at` is of `Date.now()`; false if the clock was set back since. */
export function isYoungerThan(ms: number, at: number): boolean {
  const age = Date.now() - at
  return age >= 0 && age < ms
}

/** Failures are not cached. */
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
