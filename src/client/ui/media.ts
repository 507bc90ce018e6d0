import { useSyncExternalStore } from 'react'

/** True while a media query matches. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notice) => {
      const media = matchMedia(query)
      media.addEventListener('change', notice)
      return () => media.removeEventListener('change', notice)
    },
    () => matchMedia(query).matches,
  )
}
