import { part } from './page.ts'

const hidesBelow = 50

/** Hides on the way down, comes back on the way up; closes the menu when one of its links is followed. */
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
  // The page may have been scrolled before this script came.
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
  // The link to the other language keeps the place on the page.
  for (const link of header.querySelectorAll<HTMLAnchorElement>('[data-language]'))
    link.addEventListener('click', () => {
      link.hash = location.hash
    })
}

/** Old links may name the prize by another name; a hash of ours scrolls to its section. */
export function followOldHash(): void {
  if (location.hash !== '#cybertruck') return
  history.replaceState(null, '', `${location.pathname}${location.search}#main-prize`)
  document.getElementById('main-prize')?.scrollIntoView()
}
