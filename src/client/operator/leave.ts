import { hasUnsaved } from '../area/unsaved.ts'
import { paths } from './paths.ts'

/** Opens the “session ended” dialog. */
let say: (() => void) | undefined
let isSaid = false

/** Returns the function that removes it. */
export function setSessionOver(next: () => void): () => void {
  say = next
  return () => {
    say = undefined
  }
}

/**
 * The login returns to the open page. With unsaved values the page stays and opens the dialog: after each
 * rejected change, but once for background reads.
 */
export function leave(isChange: boolean): void {
  if (hasUnsaved() && say) {
    if (isChange || !isSaid) say()
    isSaid = true
    return
  }
  const back = location.pathname + location.search
  location.assign(`${paths.refused}&next=${encodeURIComponent(back)}`)
}
