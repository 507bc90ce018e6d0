/** Shows what was answered in this browser about counting visits, and takes another answer at any time. */
export function mountCounting(root: HTMLElement): void {
  const show = () => {
    const answer = /(?:^|; )consent=(yes|no)/.exec(document.cookie)?.[1] ?? 'none'
    for (const words of root.querySelectorAll<HTMLElement>('[data-answer]'))
      words.hidden = words.dataset['answer'] !== answer
    for (const button of root.querySelectorAll<HTMLButtonElement>('[data-give]'))
      button.hidden = button.dataset['give'] === answer
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-give]'))
    button.addEventListener('click', () => {
      // The cookie store API is not everywhere yet.
      // oxlint-disable-next-line unicorn/no-document-cookie
      document.cookie = `consent=${button.dataset['give']}; path=/; max-age=15552000; samesite=lax`
      show()
    })
  show()
}
