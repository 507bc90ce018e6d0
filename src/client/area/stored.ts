import { useState } from 'react'

/** Stored in this browser. An unreadable value counts as unset. */
export function useStored<Value>(key: string, initial: Value, isValue: (kept: unknown) => kept is Value) {
  const [value, setValue] = useState(() => readStored(key, initial, isValue))
  const store = (next: Value) => {
    setValue(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  return [value, store] as const
}

function readStored<Value>(key: string, initial: Value, isValue: (kept: unknown) => kept is Value): Value {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isValue(kept) ? kept : initial
  } catch {
    return initial
  }
}

export const isTexts = (kept: unknown): kept is readonly string[] =>
  Array.isArray(kept) && kept.every((one) => typeof one === 'string')
