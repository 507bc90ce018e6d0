import { type Theme, themeAfter } from '../../../shared/theme-round.ts'
import { themeIcons } from '../theme-icons.ts'
import { part } from './page.ts'

/** The cookie lets the server render the next page in the theme. */
export function mountTheme(button: HTMLElement): void {
  const names = JSON.parse(button.dataset['names'] ?? '{}') as Record<Theme, string>
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  button.addEventListener('click', () => {
    const next = themeAfter((root.dataset['theme'] ?? 'system') as Theme, system.matches)
    if (next === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = next
    const age = next === 'system' ? 0 : 31_536_000
    // The cookie store API is not available everywhere.
    // oxlint-disable-next-line unicorn/no-document-cookie
    document.cookie = `theme=${next}; path=/; max-age=${age}; samesite=lax`
    button.setAttribute('aria-label', names[next])
    button.title = names[next]
    part(button, 'path').setAttribute('d', themeIcons[next])
  })
}
