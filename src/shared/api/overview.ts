import type { z } from 'zod'
import type {
  attention,
  doctorFinding,
  overview,
  overviewRange,
  overviewSchemas,
} from './overview-schemas.ts'
import { routes } from './route.ts'

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
  /** A request for a second operator would have payments of a currency go elsewhere. `subject`: its code; `detail`: `from → to`; `since`: asked for. */
  'wallet_changing',
  /** No mail server is set: mails stay in a folder of the server. */
  'mail_unsent',
  'sale_paused',
  /** `subject`: webhook's address; `count` of failed deliveries in a day. */
  'webhook_failing',
  /** `count` of payments that belong to no order or came in another coin; `since`: the oldest. */
  'payments_to_decide',
  /** `count` of orders that were due and could not be settled; `subject`: one's number; `detail`: its error. */
  'settlement_failing',
  /** `count` of refunds not paid yet; `subject`: the sum in each coin (`0.15 ETH, 1500 DOGE`); `since`: owed the longest; `detail`: all of them in dollars, by their orders' rates. */
  'refunds_due',
  /** `count` of comments that buyers reported and no operator has hidden or kept; `since`: the oldest report. */
  'comments_reported',
  /** `subject`: the number of a closed giveaway whose draw is an hour late; `since`: when it was due. */
  'giveaway_undrawn',
  /** `count` of confirmed prizes that are to be handed over; `since`: when the first of them is due. */
  'prizes_to_hand_over',
  /** `subject`: the chain; `since`: failing since; `detail`: the last error. */
  'chain_failing',
  /** `subject`: the chain; `count` of blocks behind its node, or null where nobody has looked for long; `since`: the last look. */
  'chain_lagging',
  /** `subject`: the chain; `count` of addresses of which its node has forgotten what they held when they were given out; `since`: the oldest; `detail`: some of their orders. */
  'balances_unknown',
  /** `subject`: a live round's number; `detail`: why its distributor does not cover its list by the last look (`since`), or null where no look has succeeded since. */
  'distributor_failing',
  /** `subject`: the stage of an escrow in force; `detail`: why it does not show what the ledger says by the last look (`since`), or null where no look has succeeded since. */
  'escrow_failing',
  /** `subject`: the stage's name; `since`: its end, under 48 h away. */
  'stage_ending',
] as const
export type Attention = z.infer<typeof attention>
export type DoctorFinding = z.infer<typeof doctorFinding>
export type Overview = z.infer<typeof overview>
export type OverviewRange = z.infer<typeof overviewRange>

export const overviewRoutes = routes<typeof overviewSchemas>()({
  show: { method: 'GET', path: '/operator/overview', audience: { operator: 'any' } },
  doctor: { method: 'GET', path: '/operator/doctor', audience: { operator: 'settings:write' } },
  range: { method: 'GET', path: '/operator/overview/range', audience: { operator: 'orders:read' } },
})
