import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

let skewMs = 0

export function setServerTime(iso: string) {
  skewMs = Date.parse(iso) - Date.now()
}

/** Uses the server's clock if it is known. */
export function serverNow(): number {
  return Date.now() + skewMs
}

/** The time changes at each multiple of `intervalMs`. */
export function useNow(intervalMs: number): number {
  const subscribe = useCallback(
    (notify: () => void) => {
      const timer = setInterval(notify, intervalMs)
      return () => clearInterval(timer)
    },
    [intervalMs],
  )
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(serverNow() / intervalMs) * intervalMs,
    () => Math.floor(serverNow() / intervalMs) * intervalMs,
  )
}

/**
 * Negative if the moment has passed. Because of latency a past event can seem to be in the future; only
 * `mayLieAhead` permits positive results.
 */
export function secondsAway(moment: string, now: number, mayLieAhead: boolean): number {
  const seconds = Math.round((Date.parse(moment) - now) / 1000)
  return mayLieAhead ? seconds : Math.min(seconds, 0)
}

export interface Remaining {
  days: number
  hours: number
  minutes: number
  seconds: number
  leftMs: number
  over: boolean
}

export function useCountdown(iso: string): Remaining {
  const now = useNow(1_000)
  return remainingUntil(iso, now)
}

export function remainingUntil(iso: string, nowMs: number): Remaining {
  const leftMs = Math.max(0, Date.parse(iso) - nowMs)
  // The clock ticks on whole seconds, so rounding up would show one too many.
  const left = Math.floor(leftMs / 1000)
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3_600) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
    leftMs,
    over: leftMs === 0,
  }
}

export function clockFace({ hours, minutes, seconds }: Remaining): string {
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
}

export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
