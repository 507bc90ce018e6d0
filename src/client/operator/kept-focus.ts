import { useEffect } from 'react'

const inDialog = '[role=dialog], [role=alertdialog]'

/**
 * Instead of the page's start. For example a deleted row's list, or the place of a closed dialog's opener.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The last focused element with its ancestors, and the last one outside of all dialogs. */
    let last: Element[] = []
    let outside: Element[] = []
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      last = around(target)
      if (!target.closest(inDialog)) outside = last
    }
    const look = () => {
      const [held] = last
      // If the element can still hold the focus, the reader moved it deliberately.
      if (isHeld() || !held || canHold(held)) return
      for (const place of [...last, ...outside]) {
        if (place instanceof HTMLElement && canHold(place)) takeFocus(place)
        // An element behind a closing dialog can't take the focus; its end triggers another look.
        if (isHeld()) return
      }
    }
    let frame = 0
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      // A closing dialog restores the focus itself a moment later.
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(look)))
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled', 'hidden', 'inert', 'aria-hidden'],
    })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
}

/** True if an element that can hold the focus has it. A disabled one keeps it nominally for some frames. */
function isHeld(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body && canHold(activeElement)
}

function canHold(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(':disabled')
}

function around(element: Element): Element[] {
  const found: Element[] = []
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) found.push(at)
  return found
}

function takeFocus(place: HTMLElement): void {
  if (place.tabIndex < 0) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
