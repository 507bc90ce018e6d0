import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BadgeDollarSign,
  ChartNoAxesColumn,
  Coins,
  KeyRound,
  type LucideIcon,
  Mail,
  Megaphone,
  PackageCheck,
  Plug,
  Radar,
  ReceiptText,
  ScrollText,
  Settings2,
  ShieldCheck,
  UserCog,
  UserRound,
  UsersRound,
  WalletCards,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { OperatorPage } from '../../shared/pages.ts'

type Group = 'sale' | 'site' | 'people'

interface Page {
  /** For the sidebar and the breadcrumb. A page about one record is named by the record's id. */
  readonly title?: MessageDescriptor
  readonly group?: Group
  readonly Icon?: LucideIcon
  readonly load: () => Promise<ComponentType>
}

export const groups: Record<Group, MessageDescriptor> = {
  sale: msg`Sale`,
  site: msg`Site`,
  people: msg`People`,
}

export const pages: Record<OperatorPage, Page> = {
  currencies: {
    title: msg`Crypto`,
    group: 'sale',
    Icon: Coins,
    load: async () => (await import('./currencies/CurrenciesPage.tsx')).CurrenciesPage,
  },
  overview: {
    title: msg`Overview`,
    group: 'sale',
    Icon: ChartNoAxesColumn,
    load: async () => (await import('./overview/OverviewPage.tsx')).OverviewPage,
  },
  users: {
    title: msg`Users`,
    group: 'sale',
    Icon: UsersRound,
    load: async () => (await import('./users/UsersPage.tsx')).UsersPage,
  },
  user: {
    load: async () => (await import('./users/UserPage.tsx')).UserPage,
  },
  orders: {
    title: msg`Transactions`,
    group: 'sale',
    Icon: ReceiptText,
    load: async () => (await import('./orders/OrdersPage.tsx')).OrdersPage,
  },
  order: {
    load: async () => (await import('./orders/OrderPage.tsx')).OrderPage,
  },
  approved: {
    title: msg({ message: 'Approved', context: 'orders' }),
    load: async () => (await import('./orders/ApprovedPage.tsx')).ApprovedPage,
  },
  referrals: {
    title: msg`Friends' orders`,
    load: async () => (await import('./users/ReferralsPage.tsx')).ReferralsPage,
  },
  payments: {
    title: msg`Payments`,
    group: 'sale',
    Icon: WalletCards,
    load: async () => (await import('./payments/PaymentsPage.tsx')).PaymentsPage,
  },
  delivery: {
    title: msg`Delivery`,
    group: 'sale',
    Icon: PackageCheck,
    load: async () => (await import('./delivery/DeliveryPage.tsx')).DeliveryPage,
  },
  approvals: {
    title: msg`Approvals`,
    group: 'sale',
    Icon: ShieldCheck,
    load: async () => (await import('./approvals/ApprovalsPage.tsx')).ApprovalsPage,
  },
  price: {
    title: msg`Main currency`,
    group: 'sale',
    Icon: BadgeDollarSign,
    load: async () => (await import('./price/PricePage.tsx')).PricePage,
  },
  campaign: {
    title: msg`Campaign`,
    group: 'site',
    Icon: Settings2,
    load: async () => (await import('./campaign/CampaignPage.tsx')).CampaignPage,
  },
  content: {
    title: msg`Content`,
    group: 'site',
    Icon: Megaphone,
    load: async () => (await import('./content/ContentPage.tsx')).ContentPage,
  },
  mailTemplates: {
    title: msg`Mail templates`,
    group: 'site',
    Icon: Mail,
    load: async () => (await import('./mail-templates/MailTemplatesPage.tsx')).MailTemplatesPage,
  },
  analytics: {
    title: msg`Pixels`,
    group: 'site',
    Icon: Radar,
    load: async () => (await import('./analytics/AnalyticsPage.tsx')).AnalyticsPage,
  },
  integrations: {
    title: msg`Integrations`,
    group: 'site',
    Icon: Plug,
    load: async () => (await import('./integrations/IntegrationsPage.tsx')).IntegrationsPage,
  },
  operators: {
    title: msg`Operators`,
    group: 'people',
    Icon: UserCog,
    load: async () => (await import('./operators/OperatorsPage.tsx')).OperatorsPage,
  },
  audit: {
    title: msg`Audit`,
    group: 'people',
    Icon: ScrollText,
    load: async () => (await import('./audit/AuditPage.tsx')).AuditPage,
  },
  account: {
    title: msg`My access`,
    group: 'people',
    Icon: UserRound,
    load: async () => (await import('./account/AccountPage.tsx')).AccountPage,
  },
  password: {
    title: msg`Change Pass`,
    group: 'people',
    Icon: KeyRound,
    load: async () => (await import('./account/PasswordPage.tsx')).PasswordPage,
  },
}
