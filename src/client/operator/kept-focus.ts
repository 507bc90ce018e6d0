import { useEffect } from 'react'

const inDialog = '[role=dialog], [role=alertdialog]'

/**
 * Where what has the focus goes away or is disabled, the focus goes to the nearest thing around it that is still there, and not to the beginning of the page:
 * a row that was deleted leaves it with its list, a dialog whose opener is gone with what the opener stood in.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, with all around it; and the same of what had it last outside of every dialog. */
    let last: Element[] = []
    let outside: Element[] = []
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      last = around(target)
      if (!target.closest(inDialog)) outside = last
    }
    const look = () => {
      const [held] = last
      // What is still there and can hold the focus gave it up because somebody pressed elsewhere.
      if (isHeld() || !held || canHold(held)) return
      for (const place of [...last, ...outside]) {
        if (place instanceof HTMLElement && canHold(place)) takeFocus(place)
        // Nothing behind a dialog that is closing takes it: its end is seen, too.
        if (isHeld()) return
      }
    }
    let frame = 0
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      // A dialog that closes gives the focus back itself, a moment later.
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

/** Whether something has the focus that can hold it: what was disabled has it in name for some frames more. */
function isHeld(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body && canHold(activeElement)
}

/** Neither gone, hidden nor disabled, as a button is once there is nothing left to save. */
function canHold(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(':disabled')
}

/** The element and what it stands in, up to the page's own parts. */
function around(element: Element): Element[] {
  const found: Element[] = []
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) found.push(at)
  return found
}

function takeFocus(place: HTMLElement): void {
  if (place.tabIndex < 0) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
