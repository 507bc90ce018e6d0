import type { Theme } from '../../shared/theme-round.ts'
import { documentFacts } from '../document-facts.ts'

const cookieName = 'theme'
const cookieAgeSeconds = 365 * 24 * 3600

export function currentTheme(): Theme {
  return documentFacts().theme ?? 'system'
}

/** The cookie lets the server render the next page in the theme. */
export function setTheme(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  const age = theme === 'system' ? 0 : cookieAgeSeconds
  // The cookie store API is not available everywhere.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${cookieName}=${theme}; path=/; max-age=${age}; samesite=lax`
}
