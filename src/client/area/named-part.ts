import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** On each link with a fragment; focuses the part's first field. */
export function useNamedPart() {
  const { hash, key } = useLocation()
  useEffect(() => {
    const part = key && hash ? document.getElementById(hash.slice(1)) : null
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [hash, key])
}
