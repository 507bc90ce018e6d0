import { z } from 'zod'
import { raisedDay } from './campaign.ts'
import { decimal, instant, route } from './route.ts'

/** What needs an operator: each kind with what it is about. */
export const attentionKinds = [
  /** `subject`: the currency's code; `since`: the age of its rate. */
  'rate_stale',
  /** `count` of mails that failed; `detail`: the last error. */
  'mail_failing',
  /** `subject`: the job's name; `count`; `detail`: the last error. */
  'job_stuck',
  /** Events written but not handed on; `since`: the oldest. */
  'events_waiting',
  /** `count` of actions that wait for a second operator; `subject`: their kind. */
  'second_operator',
  /** No mail server is set: mails stay in a folder of the server. */
  'mail_unsent',
  'sale_paused',
  /** `subject`: webhook's address; `count` of failed deliveries in a day. */
  'webhook_failing',
  /** `count` of payments that belong to no order or came in another coin; `since`: the oldest. */
  'payments_to_decide',
  /** `count` of refunds not paid yet; `since`: owed the longest; `detail`: dollars by the day's rates. */
  'refunds_due',
  /** `subject`: the chain; `since`: failing since; `detail`: the last error. */
  'chain_failing',
  /** `subject`: the chain; `count` of blocks behind its node, or null where nobody has looked for long; `since`: the last look. */
  'chain_lagging',
  /** `subject`: the stage's name; `since`: its end, under 48 h away. */
  'stage_ending',
] as const

export const attention = z.object({
  kind: z.enum(attentionKinds),
  subject: z.string().nullable(),
  count: z.number().int().nullable(),
  since: instant.nullable(),
  detail: z.string().nullable(),
})
export type Attention = z.infer<typeof attention>

export const overviewDay = raisedDay.extend({ orders: z.number().int(), registrations: z.number().int() })

export const overview = z.object({
  /** Null for roles that may not read orders. */
  orders: z
    .object({
      waiting: z.number().int(),
      /** Of these, with a transaction id that the buyer entered or a payment seen. */
      waitingWithPayment: z.number().int(),
      oldestWaitingAt: instant.nullable(),
      /** Approved orders: what came in, by currency. */
      received: z.array(
        z.object({ currency: z.string(), amount: decimal, usd: decimal, orders: z.number().int() }),
      ),
      raisedUsd: decimal,
      raisedOnChainUsd: decimal,
      raisedByOperatorUsd: decimal,
      /** The last 30 days (UTC), oldest first, each day present. */
      days: z.array(overviewDay),
    })
    .nullable(),
  users: z.object({ total: z.number().int(), today: z.number().int() }).nullable(),
  paused: z
    .object({ at: instant, reason: z.object({ en: z.string(), ru: z.string() }).nullable() })
    .nullable(),
  attention: z.array(attention),
  computedAt: instant,
})
export type Overview = z.infer<typeof overview>

export const overviewRoutes = {
  show: route({
    method: 'GET',
    path: '/operator/overview',
    summary:
      'What waits, what came in, the last 30 days and what needs attention; by role, at most 10 s old.',
    audience: { operator: 'any' },
    reply: overview,
  }),
} as const
