import { z } from 'zod'
import { keptName, wholeTextsOf } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { raisedDay } from './campaign-schemas.ts'
import { attentionKinds, overviewRoutes } from './overview.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

export const attention = z.object({
  kind: z.enum(attentionKinds),
  subject: z.string().nullable(),
  /** Of a stage that `subject` names: its name in each language that it has one in. */
  name: keptName.nullable(),
  count: z.number().int().nullable(),
  since: instant.nullable(),
  detail: z.string().nullable(),
})

export const overviewDay = raisedDay.extend({ orders: z.number().int(), registrations: z.number().int() })

export const overview = z.object({
  /** Null for roles that may not read orders. */
  orders: z
    .object({
      waiting: z.number().int(),
      /** How many of the pending orders have a payment seen or a transaction id that the buyer entered. */
      waitingWithPayment: z.number().int(),
      oldestWaitingAt: instant.nullable(),
      /** How long the pending orders have waited. */
      waitingAges: z.object({ hour: z.number().int(), day: z.number().int(), older: z.number().int() }),
      /** Approved orders: what came in, by currency. */
      received: z.array(
        z.object({ currency: z.string(), amount: decimal, usd: decimal, orders: z.number().int() }),
      ),
      raisedUsd: decimal,
      raisedOnChainUsd: decimal,
      raisedByOperatorUsd: decimal,
      /** The last 30 days (UTC), oldest first, each day present. */
      days: z.array(overviewDay),
      /** What happened last to orders, newest first. */
      events: z.array(
        z.object({ orderId: z.number().int(), kind: z.string(), actor: z.string(), at: instant }),
      ),
    })
    .nullable(),
  users: z.object({ total: z.number().int(), today: z.number().int() }).nullable(),
  paused: z.object({ at: instant, reason: wholeTextsOf(z.string()).nullable() }).nullable(),
  attention: z.array(attention),
  /** When a backup was last restored on trial and every rule of the ledger held in it; null: never. */
  backupDrill: z.object({ workedAt: instant, takenAt: instant }).nullable(),
  /** When nothing was left that is older than its period; null: not yet. */
  retentionDoneAt: instant.nullable(),
  computedAt: instant,
})

const rangeDay = z.object({
  day: z.string(),
  /** Public pages as they were sent, robots and reloads included. */
  pageViews: z.number().int(),
  registrations: z.number().int(),
  orders: z.number().int(),
  /** How many of the day's orders are approved by now. */
  paidOrders: z.number().int(),
  raisedOnChainUsd: decimal,
  raisedByOperatorUsd: decimal,
})

export const overviewRange = z.object({
  from: z.string(),
  to: z.string(),
  /** What the ledger holds of the days before. */
  raisedBeforeUsd: decimal,
  raisedBeforeOnChainUsd: decimal,
  raisedBeforeByOperatorUsd: decimal,
  /** The first day with page views; null: none was counted yet. */
  countedSince: z.string().nullable(),
  /** Approved orders that were made in the range, by currency, most dollars first. */
  received: z.array(
    z.object({ currency: z.string(), amount: decimal, usd: decimal, orders: z.number().int() }),
  ),
  /** Days by UTC, oldest first, each day present. */
  days: z.array(rangeDay),
})

export const doctorFinding = z.object({
  name: z.string(),
  /** look: worth a look; bad: to fix before the sale opens. */
  state: z.enum(['fine', 'look', 'bad']),
  title: z.string(),
  detail: z.string(),
  /** In the operator's language; null where nothing is to be done. */
  fix: z.string().nullable(),
})

export const overviewSchemas = {
  doctor: {
    summary:
      'What `npm run doctor` finds: address, proxy, clock, disk, backup, mail, owners, chains, wallets, rates, prices and dates.',
    reply: z.object({ items: z.array(doctorFinding) }),
  },
  range: {
    summary:
      'Views, registrations, orders and money of some days (UTC, both included; at most the last 1,100 of them), from the ledger and own counts.',
    // Of days that this process has not counted yet, seven a statement.
    cost: { statements: 170 },
    query: z.object({ from: z.iso.date(), to: z.iso.date() }),
    reply: overviewRange,
  },
  show: {
    summary:
      'What waits, what came in, the last 30 days and what needs attention; by role, at most 10 s old.',
    reply: overview,
  },
} as const satisfies Record<string, RouteSchemas>
export const overviewEndpoints = endpoints(overviewRoutes, overviewSchemas)
