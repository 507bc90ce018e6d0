import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Shows the part of the page that the address names, and gives its first field the focus, each time a link leads to it. */
export function useNamedPart() {
  const { hash, key } = useLocation()
  useEffect(() => {
    const part = key && hash ? document.getElementById(hash.slice(1)) : null
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }, [hash, key])
}
