import { type AccountPage, accountPages, type BuyerPage, buyerPages } from '../shared/pages.ts'

const account = (page: AccountPage) => `/${accountPages[page]}`
const dashboard = (page: BuyerPage) => `/dashboard/${buyerPages[page]}`.replace(/\/$/, '')

export const paths = {
  home: '/',
  login: account('login'),
  register: account('register'),
  forgotPassword: account('forgotPassword'),
  resetPassword: account('resetPassword'),
  confirmEmail: account('confirmEmail'),
  confirmDelivery: account('confirmDelivery'),
  claimRefund: account('claimRefund'),
  privacy: '/privacy',
  terms: '/terms',
  risks: '/risks',
  updates: '/updates',
  transparency: '/transparency',
  claim: '/claim',
  dashboard: dashboard('dashboard'),
  buy: dashboard('buy'),
  order: (token: string) => `${dashboard('transaction')}?order=${encodeURIComponent(token)}`,
  transaction: dashboard('transaction'),
  profile: dashboard('profile'),
  status: dashboard('status'),
  tokenHub: dashboard('tokenHub'),
  documents: dashboard('documents'),
  howToBuy: dashboard('howToBuy'),
  exchangeGuide: dashboard('exchangeGuide'),
  leaderboard: dashboard('leaderboard'),
  giveaway: dashboard('giveaway'),
  jokeTerminal: '/admin',
} as const

/** The path, or undefined for another host or scheme. */
export function ownPath(candidate: string | null): string | undefined {
  if (!candidate?.startsWith('/') || candidate.startsWith('//') || /[\\\p{Cc}]/u.test(candidate))
    return undefined
  const url = new URL(candidate, 'http://own.invalid')
  const path = url.pathname + url.search + url.hash
  return url.host === 'own.invalid' && !path.startsWith('//') ? path : undefined
}
