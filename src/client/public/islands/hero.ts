const livePath = '/api/v1/live'

const quietMs = 2_000
const pollMs = 60_000

/**
 * After each event and once a minute, fetches the server's rendering and replaces the changed parts. Newly
 * paid figures hop once.
 */
export function mountHero(root: HTMLElement): void {
  const address = root.dataset['fragment'] ?? ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | undefined

  const refresh = async () => {
    if (document.hidden) return
    const response = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => null)
    if (response?.ok) replaceFigures(root, await response.text())
  }
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void refresh()
    }, quietMs)
  }
  const listen = () => {
    source?.close()
    if (document.hidden) return
    source = new EventSource(`${livePath}?campaign=1`)
    source.addEventListener('campaign', later)
  }
  root.addEventListener('stage-changed', later)
  document.addEventListener('visibilitychange', () => {
    listen()
    if (!document.hidden) later()
  })
  setInterval(refresh, pollMs)
  listen()
}

export function replaceFigures(root: HTMLElement, html: string): void {
  const fresh = new DOMParser().parseFromString(html, 'text/html')
  for (const next of fresh.querySelectorAll<HTMLElement>('[data-live]')) {
    const now = root.querySelector<HTMLElement>(`[data-live="${next.dataset['live']}"]`)
    if (!now || now.outerHTML === next.outerHTML) continue
    if (next.dataset['live'] === 'crowd') wakeFigures(now, next)
    else now.replaceWith(document.adoptNode(next))
  }
  const clock = root.querySelector<HTMLElement>('[data-island=countdown]')
  const freshClock = fresh.querySelector<HTMLElement>('[data-island=countdown]')
  if (!clock || !freshClock) return
  clock.dataset['starts'] = freshClock.dataset['starts']
  clock.dataset['ends'] = freshClock.dataset['ends']
}

function wakeFigures(now: HTMLElement, next: HTMLElement): void {
  now.setAttribute('aria-label', next.getAttribute('aria-label') ?? '')
  const fresh = next.querySelectorAll('use')
  now.querySelectorAll('use').forEach((figure, index) => {
    const kind = fresh[index]?.getAttribute('href')
    if (!kind || kind === figure.getAttribute('href')) return
    figure.setAttribute('href', kind)
    const svg = figure.ownerSVGElement
    svg?.classList.remove('woken')
    svg?.getBoundingClientRect()
    svg?.classList.add('woken')
  })
}
