import { accountRoutes } from '../../shared/api/account.ts'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { deliveryRoutes } from '../../shared/api/delivery.ts'
import { giveawayRoutes } from '../../shared/api/giveaways.ts'
import { holdingRoutes } from '../../shared/api/holdings.ts'
import { orderRoutes } from '../../shared/api/orders.ts'
import { buyerPaymentRoutes } from '../../shared/api/payments.ts'
import { referralRoutes } from '../../shared/api/referral.ts'
import type { LiveStream } from '../area/live-stream.ts'
import type { Touched } from '../area/reading.ts'

const orders: Touched = [
  orderRoutes.list,
  orderRoutes.open,
  orderRoutes.show,
  buyerPaymentRoutes.refunds,
  buyerPaymentRoutes.rate,
  holdingRoutes.show,
]

export const touched = {
  campaign: [campaignRoutes.show],
  deliveryAddress: [deliveryRoutes.address],
  giveaways: [giveawayRoutes.own],
  orders,
  profile: [accountRoutes.session],
  referral: [referralRoutes.show],
  secondFactor: [accountRoutes.secondFactor],
  sessions: [accountRoutes.sessions],
} as const satisfies Record<string, Touched>

export const buyerStream: LiveStream = {
  query: 'campaign=1',
  touches: {
    order: orders,
    holdings: [holdingRoutes.show, orderRoutes.list, orderRoutes.open, referralRoutes.show],
    campaign: touched.campaign,
  },
}
