import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'

const openDelayMs = 700
const skipDelayMs = 300
const gap = 6

type Side = 'top' | 'right' | 'bottom' | 'left'

/** Within 300 ms of a closed tooltip the next one opens at once. */
let closedAt = Number.NEGATIVE_INFINITY

/** A new start cancels the old. */
class Timer {
  #pending: ReturnType<typeof setTimeout> | undefined
  start(delayMs: number, act: () => void) {
    this.stop()
    this.#pending = setTimeout(act, delayMs)
  }
  stop() {
    clearTimeout(this.#pending)
  }
}

interface Handlers {
  onPointerEnter?: (event: React.PointerEvent) => void
  onPointerLeave?: (event: React.PointerEvent) => void
  onFocus?: (event: React.FocusEvent) => void
  onBlur?: (event: React.FocusEvent) => void
  'aria-describedby'?: string | undefined
}

/**
 * For one focusable child. Opens after 700 ms, or at once on keyboard focus; stays while the pointer is on
 * it; Escape closes it.
 */
export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: ReactNode
  children: ReactElement<Handlers>
  side?: Side
}) {
  const id = useId()
  const { anchor, show, hide, stay } = useAnchor()
  const handlers = handlersOf(children.props, show, hide)
  const describedBy = anchor ? id : children.props['aria-describedby']
  return (
    <>
      {cloneElement(children, { ...handlers, 'aria-describedby': describedBy })}
      {anchor
        ? createPortal(
            <div
              id={id}
              role="tooltip"
              ref={(bubble) => place(bubble, anchor, side)}
              onPointerEnter={stay}
              onPointerLeave={() => hide()}
              className="fixed z-60 w-max max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-sm text-paper"
            >
              {text}
            </div>,
            document.body,
          )
        : null}
    </>
  )
}

function useAnchor() {
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const [timer] = useState(() => new Timer())
  const open = anchor !== null

  const show = (element: Element, delayMs: number) => {
    timer.start(delayMs, () => setAnchor(element.getBoundingClientRect()))
  }
  const hide = (delayMs = 0) => {
    timer.start(delayMs, () =>
      setAnchor((shown) => {
        if (shown) closedAt = performance.now()
        return null
      }),
    )
  }

  useEffect(() => () => timer.stop(), [timer])
  useEffect(() => {
    if (!open) return
    const close = () => setAnchor(null)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    addEventListener('keydown', onKey)
    addEventListener('scroll', close, { capture: true, passive: true })
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('scroll', close, { capture: true })
    }
  }, [open])

  return { anchor, show, hide, stay: () => timer.stop() }
}

function handlersOf(
  own: Handlers,
  show: (element: Element, delayMs: number) => void,
  hide: (delayMs?: number) => void,
): Handlers {
  return {
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== 'touch')
        show(event.currentTarget, performance.now() - closedAt < skipDelayMs ? 0 : openDelayMs)
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event)
      // The delay lets the pointer move onto the tooltip.
      hide(100)
    },
    onFocus: (event) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget, 0)
    },
    onBlur: (event) => {
      own.onBlur?.(event)
      hide()
    },
  }
}

/** Flips the tooltip if there is no room, and keeps it within the window. */
function place(bubble: HTMLElement | null, anchor: DOMRect, side: Side) {
  if (!bubble) return
  const { offsetWidth: width, offsetHeight: height } = bubble
  let left = anchor.left + anchor.width / 2 - width / 2
  let top = anchor.top - height - gap
  if (side === 'bottom') top = anchor.bottom + gap
  if (side === 'left' || side === 'right') {
    left = side === 'right' ? anchor.right + gap : anchor.left - width - gap
    top = anchor.top + anchor.height / 2 - height / 2
  }
  if (top < gap) top = anchor.bottom + gap
  if (top + height > innerHeight - gap) top = anchor.top - height - gap
  bubble.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`
  bubble.style.top = `${Math.max(gap, top)}px`
}
