import type { z } from 'zod'
import type {
  attention,
  doctorFinding,
  overview,
  overviewRange,
  overviewSchemas,
} from './overview-schemas.ts'
import { routes } from './route.ts'

/** Tasks, with the meaning of their fields. */
export const attentionKinds = [
  /** `subject`: the currency; `since`: the rate's time. */
  'rate_stale',
  /** `count`: failed mails; `detail`: the last error. */
  'mail_failing',
  /** `subject`: the job; `count`: failures; `detail`: the last error. */
  'job_stuck',
  /** `since`: the oldest. */
  'events_waiting',
  /** `count`: approval requests; `subject`: their kind. */
  'second_operator',
  /**
   * An approval request would change where a currency is paid. `subject`: its code; `detail`: `from → to`;
   * `since`: the request.
   */
  'wallet_changing',
  /** Mails go to a folder of the server, because no mail server is set. */
  'mail_unsent',
  /** `detail`: the version. */
  'newer_release',
  'sale_paused',
  'webhook_failing',
  /** `count`: payments without an order or in another coin; `since`: the oldest. */
  'payments_to_decide',
  /** `count`: due orders whose settlement failed; `subject`: one order; `detail`: its error. */
  'settlement_failing',
  /**
   * `count`: unpaid refunds; `subject`: the sum in each coin (`0.15 ETH, 1500 DOGE`); `since`: the oldest
   * debt; `detail`: the total in dollars at the orders' rates.
   */
  'refunds_due',
  /** `count`: reported comments without a decision; `since`: the oldest report. */
  'comments_reported',
  /** `subject`: a giveaway whose draw is over an hour late; `since`: its due time. */
  'giveaway_undrawn',
  'prizes_to_hand_over',
  /** `subject`: the chain; `since`: the first failure; `detail`: the last error. */
  'chain_failing',
  /**
   * `subject`: the chain; `count`: blocks behind its node, or null without a recent poll; `since`: the last
   * poll.
   */
  'chain_lagging',
  /**
   * `subject`: the chain; `count`: addresses whose balance at assignment its node no longer has; `since`: the
   * oldest; `detail`: some of their orders.
   */
  'balances_unknown',
  /**
   * `subject`: a live round; `detail`: why its distributor did not cover its list at the last poll (`since`),
   * or null if polls fail since.
   */
  'distributor_failing',
  /**
   * `subject`: the stage of an active escrow; `detail`: how it differed from the ledger at the last poll
   * (`since`), or null if polls fail since.
   */
  'escrow_failing',
  /** `subject`: the stage; `since`: its end, less than 48 h away. */
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
