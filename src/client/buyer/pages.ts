import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BookOpen,
  CircleUserRound,
  Coins,
  FileText,
  Gift,
  LayoutDashboard,
  type LucideIcon,
  ShoppingCart,
  Star,
  Trophy,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { AccountPage, BuyerPage } from '../../shared/pages.ts'

type Group = 'account' | 'finances' | 'information'
export type Load = () => Promise<ComponentType>

interface Page {
  /** For the sidebar and the document's title; `{name}` is the campaign's. */
  readonly title: MessageDescriptor
  readonly group?: Group
  readonly Icon?: LucideIcon
  readonly load: Load
}

export const groups: Record<Group, MessageDescriptor> = {
  account: msg`Account`,
  finances: msg`Finances`,
  information: msg`Information`,
}

/** In the sidebar's order; their paths are in `shared/pages.ts`. */
export const pages: Record<BuyerPage, Page> = {
  dashboard: {
    title: msg`Dashboard`,
    group: 'account',
    Icon: LayoutDashboard,
    load: async () => (await import('./overview/Overview.tsx')).Overview,
  },
  profile: {
    title: msg`My Profile`,
    group: 'account',
    Icon: CircleUserRound,
    load: async () => (await import('./profile/Profile.tsx')).ProfilePage,
  },
  status: {
    title: msg`Status`,
    group: 'account',
    Icon: Star,
    load: async () => (await import('./holdings/StatusPage.tsx')).StatusPage,
  },
  buy: {
    title: msg`Buy Token`,
    group: 'finances',
    Icon: ShoppingCart,
    load: async () => (await import('./buy/Buy.tsx')).Buy,
  },
  tokenHub: {
    title: msg`{name} Hub`,
    group: 'finances',
    Icon: Coins,
    load: async () => (await import('./holdings/TokenHub.tsx')).TokenHub,
  },
  howToBuy: {
    title: msg`How to Buy`,
    group: 'information',
    Icon: BookOpen,
    load: async () => (await import('./guides/HowToBuy.tsx')).HowToBuy,
  },
  leaderboard: {
    title: msg`Leaderboard`,
    group: 'information',
    Icon: Trophy,
    load: async () => (await import('./holdings/Leaderboard.tsx')).Leaderboard,
  },
  giveaway: {
    title: msg`Giveaway`,
    group: 'information',
    Icon: Gift,
    load: async () => (await import('./holdings/GiveawayPage.tsx')).GiveawayPage,
  },
  documents: {
    title: msg`Documents`,
    group: 'information',
    Icon: FileText,
    load: async () => (await import('./guides/Documents.tsx')).Documents,
  },
  exchangeGuide: {
    title: msg`Paying from an exchange`,
    load: async () => (await import('./guides/ExchangeGuide.tsx')).ExchangeGuide,
  },
  transaction: {
    title: msg`Your order`,
    load: async () => (await import('./order/OrderPage.tsx')).OrderPage,
  },
}

export const accountLoaders: Record<AccountPage, Load> = {
  login: async () => (await import('./account/Login.tsx')).Login,
  register: async () => (await import('./account/Register.tsx')).Register,
  forgotPassword: async () => (await import('./account/ForgotPassword.tsx')).ForgotPassword,
  resetPassword: async () => (await import('./account/ResetPassword.tsx')).ResetPassword,
  confirmEmail: async () => (await import('./account/ConfirmEmail.tsx')).ConfirmEmail,
  confirmDelivery: async () => (await import('./account/ConfirmDelivery.tsx')).ConfirmDelivery,
  claimRefund: async () => (await import('./account/ClaimRefund.tsx')).ClaimRefund,
}
