import { hasUnsaved } from '../area/unsaved.ts'
import { paths } from './paths.ts'

/** Says that the session has ended; the dialog is mounted once, in the shell. */
let say: (() => void) | undefined
let isSaid = false

/** Answers what takes the dialog away again. */
export function setSessionOver(next: () => void): () => void {
  say = next
  return () => {
    say = undefined
  }
}

/**
 * After an answer that the session is over: leaves for the login form, which leads back to what was open. Where something was typed
 * that is not saved it stays and says so, of what is only read again and again once.
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
