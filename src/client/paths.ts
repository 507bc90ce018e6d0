/** Every address of the site, said once. Operator paths start with a setting, so they take it. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  privacy: '/privacy',
  terms: '/terms',
  risks: '/risks',
  updates: '/updates',
  transparency: '/transparency',
  dashboard: '/dashboard',
  buy: '/dashboard/buy-token',
  order: (token: string) => `/dashboard/transaction?order=${encodeURIComponent(token)}`,
  transaction: '/dashboard/transaction',
  profile: '/dashboard/profile',
  status: '/dashboard/status',
  tokenHub: '/dashboard/my-token',
  documents: '/dashboard/docs',
  howToBuy: '/dashboard/how-to-buy',
  exchangeGuide: '/dashboard/withdrawal/binance',
  leaderboard: '/dashboard/leaderboard',
  jokeTerminal: '/admin',
} as const

/** The public page in a language: Russian ones live below `/ru`. */
export function localPath(path: string, locale: string): string {
  if (locale !== 'ru') return path
  return path === '/' ? '/ru' : `/ru${path}`
}

/** A path of this site to come back to, or undefined: never another host, never a scheme. */
export function ownPath(candidate: string | null): string | undefined {
  if (!candidate?.startsWith('/') || candidate.startsWith('//') || /[\\\p{Cc}]/u.test(candidate))
    return undefined
  const url = new URL(candidate, 'http://own.invalid')
  return url.host === 'own.invalid' ? url.pathname + url.search + url.hash : undefined
}
