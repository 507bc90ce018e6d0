import type { Theme } from '../../shared/theme-round.ts'
import { documentFacts } from '../document-facts.ts'

const cookieName = 'theme'
const cookieAgeSeconds = 365 * 24 * 3600

/** What the server put on `<html data-theme>` from the cookie; without one the system decides. */
export function currentTheme(): Theme {
  return documentFacts().theme ?? 'system'
}

/** Switches at once and keeps it in a cookie, which the server reads so that no page flashes. */
export function setTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  const age = theme === 'system' ? 0 : cookieAgeSeconds
  // The cookie store API is not everywhere yet.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${cookieName}=${theme}; path=/; max-age=${age}; samesite=lax`
}
