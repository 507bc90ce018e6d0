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
  /** The stage's name in all its languages, if `subject` is a stage. */
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
      /** Pending orders with a seen payment or a submitted transaction. */
      waitingWithPayment: z.number().int(),
      oldestWaitingAt: instant.nullable(),
      waitingAges: z.object({ hour: z.number().int(), day: z.number().int(), older: z.number().int() }),
      /** Approved orders by currency. */
      received: z.array(
        z.object({ currency: z.string(), amount: decimal, usd: decimal, orders: z.number().int() }),
      ),
      raisedUsd: decimal,
      raisedOnChainUsd: decimal,
      raisedByOperatorUsd: decimal,
      /** The last 30 days (UTC), oldest first, without gaps. */
      days: z.array(overviewDay),
      /** Order events, newest first. */
      events: z.array(
        z.object({ orderId: z.number().int(), kind: z.string(), actor: z.string(), at: instant }),
      ),
    })
    .nullable(),
  users: z.object({ total: z.number().int(), today: z.number().int() }).nullable(),
  paused: z.object({ at: instant, reason: wholeTextsOf(z.string()).nullable() }).nullable(),
  attention: z.array(attention),
  /** The last drill whose ledger check passed. */
  backupDrill: z.object({ workedAt: instant, takenAt: instant }).nullable(),
  /** When all expired data was last gone. */
  retentionDoneAt: instant.nullable(),
  computedAt: instant,
})

const rangeDay = z.object({
  day: z.string(),
  /** Page views with robots and reloads. */
  pageViews: z.number().int(),
  registrations: z.number().int(),
  orders: z.number().int(),
  /** The day's orders that are approved by now. */
  paidOrders: z.number().int(),
  raisedOnChainUsd: decimal,
  raisedByOperatorUsd: decimal,
})

export const overviewRange = z.object({
  from: z.string(),
  to: z.string(),
  /** The ledger's sums before the range. */
  raisedBeforeUsd: decimal,
  raisedBeforeOnChainUsd: decimal,
  raisedBeforeByOperatorUsd: decimal,
  /** The first day with page views. */
  countedSince: z.string().nullable(),
  /** Approved orders made in the range, by currency; highest sum first. */
  received: z.array(
    z.object({ currency: z.string(), amount: decimal, usd: decimal, orders: z.number().int() }),
  ),
  /** Days in UTC, oldest first, without gaps. */
  days: z.array(rangeDay),
})

export const doctorFinding = z.object({
  name: z.string(),
  /** `look`: worth a look; `bad`: fix it before the sale opens. */
  state: z.enum(['fine', 'look', 'bad']),
  title: z.string(),
  detail: z.string(),
  /** The fix in the operator's language. */
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
    // One statement for each seven days that this process has not cached.
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
