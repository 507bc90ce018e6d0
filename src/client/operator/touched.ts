import { operatorAnalyticsRoutes } from '../../shared/api/analytics.ts'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { campaignRoutes, operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import { channelRoutes } from '../../shared/api/channels.ts'
import { operatorCommentRoutes } from '../../shared/api/comments.ts'
import { contentRoutes, operatorContentRoutes } from '../../shared/api/content.ts'
import { operatorCurrencyRoutes } from '../../shared/api/currencies.ts'
import { escrowRoutes } from '../../shared/api/escrows.ts'
import { operatorGiveawayRoutes } from '../../shared/api/giveaways.ts'
import { operatorUserRoutes } from '../../shared/api/holdings.ts'
import { integrationRoutes } from '../../shared/api/integrations.ts'
import { mailRoutes } from '../../shared/api/mail-templates.ts'
import { operatorPaymentRoutes } from '../../shared/api/operator-payments.ts'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { operatorRoutes } from '../../shared/api/operators.ts'
import { operatorOrderRoutes } from '../../shared/api/orders.ts'
import { overviewRoutes } from '../../shared/api/overview.ts'
import { publicPaymentRoutes } from '../../shared/api/payments.ts'
import { rateSourceRoutes } from '../../shared/api/rate-sources.ts'
import { operatorRoundRoutes } from '../../shared/api/rounds.ts'
import type { LiveStream } from '../area/live-stream.ts'
import type { Touched } from '../area/reading.ts'

const campaign: Touched = [
  operatorCampaignRoutes.show,
  campaignRoutes.show,
  campaignRoutes.priceHistory,
  overviewRoutes.show,
  overviewRoutes.range,
]
const currencies: Touched = [operatorCurrencyRoutes.list, ...campaign]
const wallets: Touched = [operatorPaymentRoutes.wallets, ...currencies]
const users: Touched = [
  operatorUserRoutes.list,
  operatorUserRoutes.show,
  operatorUserRoutes.entries,
  operatorUserRoutes.grants,
  approvalRoutes.list,
  ...campaign,
]
/** Changes of orders, payments and refunds affect each other. */
const orders: Touched = [
  operatorOrderRoutes.list,
  operatorOrderRoutes.show,
  operatorOrderRoutes.counts,
  operatorPaymentRoutes.payments,
  operatorPaymentRoutes.refunds,
  operatorPaymentRoutes.refundFiles,
  publicPaymentRoutes.refundsOwed,
  ...users,
]

export const touched = {
  analytics: [operatorAnalyticsRoutes.list],
  announcements: [operatorContentRoutes.announcements],
  apiKeys: [integrationRoutes.keys],
  /** An approval can execute any of these. */
  approvals: [
    ...orders,
    ...wallets,
    rateSourceRoutes.list,
    operatorRoundRoutes.list,
    escrowRoutes.list,
    operatorGiveawayRoutes.list,
    mailRoutes.list,
    mailRoutes.show,
  ],
  campaign,
  comments: [operatorCommentRoutes.list],
  channels: [channelRoutes.list],
  chains: [operatorPaymentRoutes.chains, overviewRoutes.show],
  currencies,
  rateSources: [rateSourceRoutes.list],
  rounds: [operatorRoundRoutes.list, approvalRoutes.list],
  escrows: [escrowRoutes.list, escrowRoutes.contract, approvalRoutes.list],
  documents: [contentRoutes.documents],
  giveaways: [operatorGiveawayRoutes.list, approvalRoutes.list],
  legalTexts: [operatorContentRoutes.legalVersions, ...campaign],
  mailServer: [mailRoutes.server, mailRoutes.deliveries, approvalRoutes.list, overviewRoutes.show],
  mailTemplates: [mailRoutes.list, mailRoutes.show, approvalRoutes.list],
  operators: [operatorRoutes.list, operatorSessionRoutes.show],
  orders,
  secondFactor: [operatorSessionRoutes.secondFactor, operatorSessionRoutes.show],
  sessions: [operatorSessionRoutes.sessions, operatorSessionRoutes.show],
  userNotes: [operatorRoutes.userNotes],
  users,
  wallets,
  webhooks: [integrationRoutes.webhooks, integrationRoutes.deliveries],
} as const satisfies Record<string, Touched>

export const operatorStream: LiveStream = {
  query: 'operator=1',
  touches: { orders, actions: [approvalRoutes.list] },
}
