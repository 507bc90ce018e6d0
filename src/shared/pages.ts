import type { Right } from './roles.ts'

/*
 * The pages of both areas. Server routes, routers, sidebars, breadcrumbs and the browser tests derive from
 * them.
 */

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
  readonly path: string
  /** The right to read the page. Left out: any role. */
  readonly right?: Right
  /** The parent in the breadcrumb. */
  readonly parent?: string
}

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
