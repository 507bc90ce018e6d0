import type { Right } from './roles.ts'

/*
 * Every page of the two areas, each said once. The server answers their addresses with an area's shell, the areas make
 * their routers, sidebars and breadcrumbs from them, and the browser tests walk through them.
 */

/** Pages around an account, at the site's root and below `/ru`. */
export const accountPages = {
  login: 'login',
  register: 'register',
  forgotPassword: 'forgot-password',
  resetPassword: 'reset-password',
  confirmEmail: 'confirm-email',
  confirmDelivery: 'confirm-delivery',
  claimRefund: 'claim-refund',
} as const
export type AccountPage = keyof typeof accountPages

/** The buyer's pages below `/dashboard`. */
export const buyerPages = {
  dashboard: '',
  buy: 'buy-token',
  transaction: 'transaction',
  profile: 'profile',
  status: 'status',
  tokenHub: 'my-token',
  documents: 'docs',
  howToBuy: 'how-to-buy',
  exchangeGuide: 'withdrawal/binance',
  leaderboard: 'leaderboard',
  giveaway: 'giveaway',
} as const
export type BuyerPage = keyof typeof buyerPages

interface OperatorPageFacts {
  /** Below `/{operator path}/dashboard`. */
  readonly path: string
  /** What reading the page needs; left out: any role may. */
  readonly right?: Right
  /** The page under which the breadcrumb shows this one. */
  readonly parent?: string
}

/** The operators' pages, in the order of the sidebar. */
export const operatorPages = {
  currencies: { path: '' },
  overview: { path: 'overview' },
  users: { path: 'users', right: 'users:read' },
  user: { path: 'users/:id', right: 'users:read', parent: 'users' },
  orders: { path: 'transactions', right: 'orders:read' },
  order: { path: 'transactions/:id', right: 'orders:read', parent: 'orders' },
  approved: { path: 'approved-transactions', right: 'orders:read', parent: 'orders' },
  referrals: { path: 'referrals', right: 'users:read', parent: 'users' },
  payments: { path: 'payments', right: 'orders:read' },
  delivery: { path: 'delivery', right: 'delivery:write' },
  approvals: { path: 'approvals' },
  price: { path: 'change-main-currency' },
  campaign: { path: 'campaign' },
  content: { path: 'content', right: 'content:write' },
  mailTemplates: { path: 'mail-templates', right: 'settings:write' },
  analytics: { path: 'pixels', right: 'analytics:write' },
  integrations: { path: 'integrations', right: 'webhooks:write' },
  operators: { path: 'operators', right: 'operators:write' },
  audit: { path: 'audit', right: 'audit:read' },
  account: { path: 'account' },
  password: { path: 'change-password' },
} as const satisfies Record<string, OperatorPageFacts>
export type OperatorPage = keyof typeof operatorPages
