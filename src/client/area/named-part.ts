import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Scrolls to the part of the page that the fragment names and focuses its first field, on each such link. */
export function useNamedPart() {
  const { hash, key } = useLocation()
  useEffect(() => {
    const part = key && hash ? document.getElementById(hash.slice(1)) : null
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [hash, key])
}
