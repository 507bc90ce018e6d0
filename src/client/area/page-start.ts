import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { isOnServer } from '../document-facts.ts'

const useAfterCommit = isOnServer ? useEffect : useLayoutEffect

/** As a page load would. A changed query keeps position and focus, and Back keeps the scroll position. */
export function usePageStart(): void {
  const { pathname, hash } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const started = useRef(pathname)
  useAfterCommit(() => {
    if (started.current === pathname) return
    started.current = pathname
    if (!isBack && !hash) window.scrollTo(0, 0)
    return focusHeading()
  }, [pathname, hash, isBack])
}

/** Unless the focus moved elsewhere. Returns a function that cancels. */
function focusHeading(): () => void {
  const before = document.activeElement
  const focus = () => {
    const main = document.getElementById('main')
    const heading = main?.querySelector('h1')
    const active = document.activeElement
    const isElsewhere = (active !== before && active !== document.body) || main?.contains(active)
    if (!heading && !isElsewhere) return
    waiting.disconnect()
    if (!heading || isElsewhere) return
    heading.tabIndex = -1
    heading.classList.add('outline-none')
    heading.focus({ preventScroll: true })
  }
  const waiting = new MutationObserver(focus)
  waiting.observe(document.body, { childList: true, subtree: true })
  focus()
  return () => waiting.disconnect()
}
