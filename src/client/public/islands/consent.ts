import { countVisit } from '../../count-visit.ts'

const answer = () => /(?:^|; )consent=(yes|no)/.exec(document.cookie)?.[1]

function keepAnswers(root: HTMLElement, done: (given: string | undefined) => void): void {
  for (const button of root.querySelectorAll<HTMLElement>('[data-give]'))
    button.addEventListener('click', () => {
      const { give } = button.dataset
      // The cookie store API is not available everywhere.
      // oxlint-disable-next-line unicorn/no-document-cookie
      document.cookie = `consent=${give}; path=/; max-age=15552000; samesite=lax`
      done(give)
    })
}

/** Counts only after a yes; stores a no as well, to ask only once. */
export function mountConsent(banner: HTMLElement): void {
  const given = answer()
  if (given === 'yes') void countVisit(location.pathname)
  banner.hidden = Boolean(given)
  keepAnswers(banner, (now) => {
    banner.hidden = true
    // The page's content security policy names no provider before the answer, so reload it.
    if (now === 'yes') location.reload()
  })
}

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
