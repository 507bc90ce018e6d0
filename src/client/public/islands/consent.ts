import { countVisit } from '../../count-visit.ts'

/**
 * Asks whether the visit may be counted. Only after a yes is anything counted; a no is kept as well, so that
 * nobody is asked twice.
 */
export function mountConsent(banner: HTMLElement): void {
  const answer = /(?:^|; )consent=(yes|no)/.exec(document.cookie)?.[1]
  if (answer === 'yes') void countVisit(location.pathname)
  if (answer) return
  banner.hidden = false
  for (const button of banner.querySelectorAll<HTMLButtonElement>('[data-consent]'))
    button.addEventListener('click', () => {
      const given = button.dataset['consent'] === 'yes' ? 'yes' : 'no'
      // The cookie store API is not everywhere yet.
      // oxlint-disable-next-line unicorn/no-document-cookie
      document.cookie = `consent=${given}; path=/; max-age=15552000; samesite=lax`
      banner.hidden = true
      // The page's content security policy names no provider before the answer, so it is asked for anew.
      if (given === 'yes') location.reload()
    })
}
