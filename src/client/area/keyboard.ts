import { type KeyboardEvent, useEffect, useRef } from 'react'

/** For a search field: Ctrl/Cmd+K goes to it. */
export function useSearchKey() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return field
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** For a table's body: the arrow keys, Home and End go from row to row while the focus is in one of them. */
export function useRowKeys() {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key]
    const target = event.target as HTMLElement
    if (!step || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (target.matches('input, textarea, select, [aria-haspopup]')) return
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"]')]
    const at = rows.findIndex((row) => row.contains(target))
    if (at < 0) return
    const kind = focusable(rows[at]).indexOf(target)
    const next = focusable(rows[step(at, rows.length - 1)])
    const goal = next[kind] ?? next[0]
    if (!goal) return
    event.preventDefault()
    goal.focus()
  }
  return { onKeyDown }
}

function focusable(row: HTMLElement | undefined): HTMLElement[] {
  return row ? [...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')] : []
}
