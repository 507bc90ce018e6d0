import { z } from 'zod'
import { orderDetails, orderStatuses } from '../order-states.ts'
import { publicCampaign, publicStage } from './campaign-schemas.ts'

/**
 * Events of `GET /api/v1/live` (server-sent events). With a buyer's session it carries that buyer's orders and balance;
 * with `?campaign=1` the public figures; with `?operator=1` an operator who may read orders gets every order's id. A client that reconnects reads
 * the resources again: events say that something changed, the resources say what is true.
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
  /** For operators: ids of orders that changed. */
  orders: z.object({ ids: z.array(z.number().int()) }),
  /** For operators: something waits for a second operator, or was decided. */
  actions: z.object({ changed: z.literal(true) }),
} as const
