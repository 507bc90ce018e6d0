import { call, locale, part, Refused, type Words, wordsOf } from './page.ts'

interface Reactions {
  reactions: Record<string, number>
  ownReactions: string[]
}

export function mountPost(root: HTMLElement): void {
  const words = wordsOf(root)
  const note = part(root, '[data-note]')
  unfold(root)
  copyLink(root, words)
  share(root)
  keep(root, words, note)
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('[data-react]')]
  const show = ({ reactions, ownReactions }: Reactions) => {
    for (const button of buttons) {
      const kind = button.dataset['react'] ?? ''
      const count = reactions[kind] ?? 0
      part(button, '[data-count]').textContent = new Intl.NumberFormat(locale).format(count)
      button.ariaLabel = `${button.dataset['name']}: ${count}`
      button.ariaPressed = String(ownReactions.includes(kind))
    }
  }
  for (const button of buttons)
    button.addEventListener('click', async () => {
      const method = button.ariaPressed === 'true' ? 'DELETE' : 'PUT'
      note.textContent = ''
      try {
        show(
          await call<Reactions>(`/announcements/${root.dataset['id']}/reactions/${button.dataset['react']}`, {
            method,
            body: '{}',
          }),
        )
      } catch (error) {
        if (error instanceof Refused && error.status === 401) note.replaceChildren(signInLink(root, words))
        else note.textContent = words['failed'] ?? ''
      }
    })
}

/** The bookmark button, which only a signed-in buyer has. */
function keep(root: HTMLElement, words: Words, note: HTMLElement): void {
  const button = root.querySelector<HTMLButtonElement>('[data-keep]')
  button?.addEventListener('click', async () => {
    const method = button.ariaPressed === 'true' ? 'DELETE' : 'PUT'
    note.textContent = ''
    try {
      const path = `/announcements/${root.dataset['id']}/bookmark`
      const { isKept } = await call<{ isKept: boolean }>(path, { method, body: '{}' })
      button.ariaPressed = String(isKept)
    } catch (error) {
      if (error instanceof Refused && error.status === 401) note.replaceChildren(signInLink(root, words))
      else note.textContent = words['failed'] ?? ''
    }
  })
}

function signInLink({ dataset: { login = '/login' } }: HTMLElement, words: Words): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = `${login}?next=${encodeURIComponent(location.pathname)}`
  link.className = 'under'
  link.textContent = words['signIn'] ?? ''
  return link
}

function unfold(root: HTMLElement): void {
  const body = part(root, '[data-body]')
  const more = part<HTMLButtonElement>(root, '[data-more]')
  more.hidden = body.scrollHeight <= body.clientHeight + 1
  more.addEventListener('click', () => {
    body.classList.remove('line-clamp-10')
    more.hidden = true
    body.tabIndex = -1
    body.focus()
  })
}

function share(root: HTMLElement): void {
  if (!navigator.share) return
  const button = part<HTMLButtonElement>(root, '[data-share]')
  button.hidden = false
  button.addEventListener('click', () => {
    const { href } = part<HTMLAnchorElement>(root, '[data-copy]')
    // A closed dialog is not a failure.
    navigator.share({ title: button.dataset['title'] ?? '', url: href }).catch(() => {})
  })
}

function copyLink(root: HTMLElement, words: Words): void {
  const link = part<HTMLAnchorElement>(root, '[data-copy]')
  link.addEventListener('click', async (event) => {
    if (!navigator.clipboard) return
    event.preventDefault()
    await navigator.clipboard.writeText(link.href)
    link.textContent = words['copied'] ?? ''
    setTimeout(() => {
      link.textContent = words['copy'] ?? ''
    }, 2_000)
  })
}
