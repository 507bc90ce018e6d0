const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Switches at once; the cookie lets the server render the next page in it, so that nothing flashes. */
export function mountTheme(button: HTMLElement): void {
  const names = JSON.parse(button.dataset['names'] ?? '{}') as Record<Theme, string>
  const root = document.documentElement
  button.addEventListener('click', () => {
    const now = (root.dataset['theme'] ?? 'system') as Theme
    const next = themes[(themes.indexOf(now) + 1) % themes.length] ?? 'system'
    if (next === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = next
    const age = next === 'system' ? 0 : 31_536_000
    // The cookie store API is not everywhere yet.
    // oxlint-disable-next-line unicorn/no-document-cookie
    document.cookie = `theme=${next}; path=/; max-age=${age}; samesite=lax`
    button.setAttribute('aria-label', names[next])
    button.title = names[next]
  })
}
