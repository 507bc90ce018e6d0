import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

let skewMs = 0

/** Keeps the pages on the server's clock: call it with the time in a reply of the server. */
export function setServerTime(iso: string) {
  skewMs = Date.parse(iso) - Date.now()
}

/** Milliseconds now, by the server's clock as far as it is known. */
export function serverNow(): number {
  return Date.now() + skewMs
}

/** The time now, renewed every `intervalMs`, on whole multiples of it. */
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
 * Seconds from `now` to a moment, below 0 where it has passed. What the page knows of the server's clock lags by the way of the answer and
 * by a tick, so that something that has just happened would lie ahead: only where it may do so is that said.
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
  /** Milliseconds left, 0 once it is over. */
  leftMs: number
  over: boolean
}

/** What is left until `iso`, each second. */
export function useCountdown(iso: string): Remaining {
  const now = useNow(1_000)
  return remainingUntil(iso, now)
}

export function remainingUntil(iso: string, nowMs: number): Remaining {
  const leftMs = Math.max(0, Date.parse(iso) - nowMs)
  // The clock ticks on whole seconds, so rounding up would show one second too many.
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

/** The time that is left as days and `HH:MM:SS`. */
export function clockFace({ hours, minutes, seconds }: Remaining): string {
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
}

/** A value that follows another after it has been still for a while. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
