import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * Makes a group one Tab stop, with arrow keys, Home and End inside. One button starts with `tabIndex` 0, the
 * others with -1; the focused one becomes the stop.
 */
export function moveWithin(event: KeyboardEvent<HTMLElement>) {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const last = buttons.length - 1
  const step = steps[event.key]
  const to =
    event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? undefined : at + step
  if (at < 0 || to === undefined) return
  event.preventDefault()
  const next = buttons[Math.max(0, Math.min(last, to))]
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next?.focus()
}
