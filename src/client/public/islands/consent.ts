import { countVisit } from '../../count-visit.ts'

/** What was answered in this browser: `yes`, `no`, or nothing yet. */
const answer = () => /(?:^|; )consent=(yes|no)/.exec(document.cookie)?.[1]

/** Calls `done` with what a button under `root` answers, once that is kept. */
function keepAnswers(root: HTMLElement, done: (given: string | undefined) => void): void {
  for (const button of root.querySelectorAll<HTMLElement>('[data-give]'))
    button.addEventListener('click', () => {
      const { give } = button.dataset
      // The cookie store API is not everywhere yet.
      // oxlint-disable-next-line unicorn/no-document-cookie
      document.cookie = `consent=${give}; path=/; max-age=15552000; samesite=lax`
      done(give)
    })
}

/**
 * Asks whether the visit may be counted. Only after a yes is anything counted; a no is kept as well, so that
 * nobody is asked twice.
 */
export function mountConsent(banner: HTMLElement): void {
  const given = answer()
  if (given === 'yes') void countVisit(location.pathname)
  banner.hidden = Boolean(given)
  keepAnswers(banner, (now) => {
    banner.hidden = true
    // The page's content security policy names no provider before the answer, so it is asked for anew.
    if (now === 'yes') location.reload()
  })
}

/** Shows what was answered about counting visits, and takes another answer at any time. */
export function mountCounting(root: HTMLElement): void {
  const show = () => {
    for (const words of root.querySelectorAll<HTMLElement>('[data-answer]'))
      words.hidden = words.dataset['answer'] !== (answer() ?? 'none')
    for (const button of root.querySelectorAll<HTMLElement>('[data-give]'))
      button.hidden = button.dataset['give'] === answer()
  }
  keepAnswers(root, show)
  show()
}
