import { z } from 'zod'
import { orderDetails, orderStatuses } from '../order-states.ts'
import { publicCampaign, publicStage } from './campaign-schemas.ts'

/**
 * Events of `GET /api/v1/live` (server-sent events): a buyer's own orders and balance; with `?campaign=1` the
 * public figures; with `?operator=1` all changed orders' ids. An event only says that a resource changed:
 * read it again, also after a reconnect.
 */
export const liveEvents = {
  order: z.object({
    number: z.number().int(),
    token: z.string(),
    status: z.enum(orderStatuses),
    detail: z.enum(orderDetails),
  }),
  holdings: z.object({ changed: z.literal(true) }),
  /** As in `GET /campaign`. */
  campaign: publicCampaign.pick({ raised: true }).extend({
    stage: publicStage.pick({ id: true, progressPercent: true }).nullable(),
  }),
  /** Sent to operators. */
  orders: z.object({ ids: z.array(z.number().int()) }),
  /** Sent to operators. */
  actions: z.object({ changed: z.literal(true) }),
} as const
