import { useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'

interface Shown {
  id: number
  type: 'success' | 'info' | 'error'
  title: ReactNode
  description: ReactNode
}

const lifeMs = 5_000

let current: Shown | null = null
let lastId = 0
const watchers = new Set<() => void>()

function set(next: Shown | null) {
  current = next
  for (const notify of watchers) notify()
}

function subscribe(notify: () => void) {
  watchers.add(notify)
  return () => watchers.delete(notify)
}

// One toast at a time.
const show = (type: Shown['type']) => (title: ReactNode, description?: ReactNode) => {
  lastId += 1
  set({ id: lastId, type, title, description })
}

/** Closes after 5 s, paused while hovered or focused; errors stay until closed. */
export const toast = { success: show('success'), info: show('info'), error: show('error') }

export function ToastProvider({ children }: { children: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => current)
  return (
    <>
      {children}
      {createPortal(
        // Above dialogs and present from the start: screen readers only read changes of an existing region.
        <div className="toast-place fixed right-4 bottom-4 left-4 z-60 sm:left-auto sm:w-96">
          <div role="status">
            {shown && shown.type !== 'error' ? <ToastCard key={shown.id} shown={shown} /> : null}
          </div>
          <div role="alert">
            {shown?.type === 'error' ? <ToastCard key={shown.id} shown={shown} /> : null}
          </div>
        </div>,
        document.body,
      )}
    </>
  )
}

/** Publishes the toast's height, which dialogs leave free (`toast-place`). */
function measure(card: HTMLElement | null) {
  const { style } = document.documentElement
  if (card) style.setProperty('--toast-room', `${card.offsetHeight + 32}px`)
  return () => {
    style.removeProperty('--toast-room')
  }
}

function ToastCard({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const [held, setHeld] = useState(false)
  const { id, type } = shown
  useEffect(() => {
    if (type === 'error' || held) return
    const timer = setTimeout(() => current?.id === id && set(null), lifeMs)
    return () => clearTimeout(timer)
  }, [id, type, held])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div
      ref={measure}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
      className={cx(
        'flex animate-rise items-start gap-3 rounded-md border border-l-4 border-line-strong bg-raised py-3 pr-2 pl-4 text-ink lifted',
        { success: 'border-l-success', info: 'border-l-now', error: 'border-l-danger' }[type],
      )}
    >
      <div className="min-w-0 flex-1 py-1">
        <p className="text-sm font-semibold wrap-anywhere">{shown.title}</p>
        {shown.description ? (
          <p className="mt-0.5 text-sm text-soft wrap-anywhere">{shown.description}</p>
        ) : null}
      </div>
      <button
        type="button"
        aria-label={t`Close`}
        onClick={() => set(null)}
        className="grid size-8 shrink-0 place-items-center rounded-md text-soft hover:bg-sunk hover:text-ink"
      >
        <X className="size-4" />
      </button>
    </div>
  )
}
