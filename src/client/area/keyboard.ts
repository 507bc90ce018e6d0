import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'

/** The key's place decides in a layout without Latin letters. */
function keyOf({ key, code }: globalThis.KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return letter && /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key) ? letter.toLowerCase() : key
}

export function useSearchKey() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || event.defaultPrevented || isModified(event) || target.matches(typed)) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return field
}

/** Runs `act` on Ctrl or Cmd plus a letter, unless a dialog is open. */
export function useShortcut(letter: string, act: () => void) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event
      if (keyOf(event).toLowerCase() !== letter || !(ctrlKey || metaKey) || shiftKey || altKey) return
      event.preventDefault()
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

const isModified = ({ ctrlKey, metaKey, altKey }: KeyboardEvent | globalThis.KeyboardEvent) =>
  ctrlKey || metaKey || altKey
const typed = 'input:not([type=checkbox]), textarea, select'

/**
 * Arrow keys, Home and End move between rows. If the focused row vanishes, the row in its place gets the
 * focus.
 */
export function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null)
  const at = useRef(-1)
  useEffect(() => {
    // The browser moves the focus to the body when the focused row disappears.
    if (at.current < 0 || document.activeElement !== document.body) return
    const rows = rowsIn(body.current)
    focusable(rows[Math.min(at.current, rows.length - 1)])[0]?.focus()
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    const target = event.target as HTMLElement
    if (!step || event.defaultPrevented || isModified(event) || target.matches(`${typed}, [aria-haspopup]`))
      return
    if (goToRow(rowsIn(event.currentTarget), target, step)) event.preventDefault()
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    at.current = rowsIn(event.currentTarget).findIndex((row) => row.contains(event.target))
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget) at.current = -1
  }
  return { ref: body, onKeyDown, onFocus, onBlur }
}

/** `j` and `k` go to the next and the previous row. */
export function useListKeys(keys: Record<string, (row: string | undefined) => void>) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.defaultPrevented || isModified(event) || target.matches(typed)) return
      // Menus and selects handle their own keys, and an open dialog blocks the page.
      if (target.closest('[role=menu], [role=listbox], [role=combobox]')) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      const row = target.closest<HTMLElement>('[data-row]')
      const key = keyOf(event)
      const step = { j: steps.ArrowDown, k: steps.ArrowUp }[key]
      const act = keys[key]
      if (!step && !act) return
      // Enter activates a link or a button by itself.
      if (key === 'Enter' && !target.matches('[type=checkbox]')) return
      event.preventDefault()
      if (act) return act(row?.dataset['row'])
      const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
      if (row) goToRow(rows, target, step as (at: number, last: number) => number)
      else focusable(rows[0])[0]?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

function rowsIn(body: HTMLElement | null): HTMLElement[] {
  return body ? [...body.querySelectorAll<HTMLElement>('[role="row"]')] : []
}

/** Returns false if the other row has no such control. */
function goToRow(
  rows: readonly HTMLElement[],
  target: HTMLElement,
  step: (at: number, last: number) => number,
): boolean {
  const at = rows.findIndex((row) => row.contains(target))
  if (at < 0) return false
  const kind = focusable(rows[at]).indexOf(target)
  const next = focusable(rows[step(at, rows.length - 1)])
  const goal = next[kind] ?? next[0]
  goal?.focus()
  return goal !== undefined
}

function focusable(row: HTMLElement | undefined): HTMLElement[] {
  return row
    ? [...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input:not(:disabled)')]
    : []
}
