import { part } from './page.ts'

const hidesBelow = 50

/** The header hides when scrolling down and returns when scrolling up. */
export function mountHeader(header: HTMLElement): void {
  let last = 0
  const look = () => {
    const isDown = scrollY > last
    if (Math.abs(scrollY - last) < 4) return
    last = scrollY
    header.toggleAttribute(
      'data-away',
      isDown && scrollY > hidesBelow && !header.querySelector('[data-menu][open]'),
    )
  }
  addEventListener('scroll', look)
  // The page may have been scrolled before the script ran.
  look()
  for (const menu of header.querySelectorAll<HTMLDetailsElement>('[data-menu]')) {
    menu.addEventListener('click', (event) => {
      if ((event.target as Element).closest('a')) menu.open = false
    })
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return
      menu.open = false
      part<HTMLElement>(menu, 'summary').focus()
    })
  }
  // The link to another language keeps the fragment.
  for (const link of header.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      link.hash = location.hash
    })
}

/** Old links name the prize differently. */
export function followOldHash(): void {
  if (location.hash !== '#cybertruck') return
  history.replaceState(null, '', `${location.pathname}${location.search}#main-prize`)
  document.getElementById('main-prize')?.scrollIntoView()
}
