import { createBatches } from '../database/batches.ts'
import { type Database, sql } from '../database/database.ts'
import { recordsOf } from '../database/records.ts'
import type { Actor } from '../unit-of-work/unit-of-work.ts'
import { ledgerActions, type OrderDecision } from './ledger-actions.ts'
import { type Outcome, refuseOutcome } from './outcome.ts'

export { takeableTokens } from './takeable.ts'

interface Approval extends OrderDecision {
  readonly actor: Actor
}

/** One write at a time: approvals touch the holdings of buyers, and two that share buyers would wait for each other in a circle. */
const TOGETHER = { runsMax: 1, sizeMax: 32 }
/** Orders of a sale that missed its soft cap which are taken back in one transaction. */
const PAY_BACK_MAX = 100
/** One approval touches one buyer's holding, so that any number can wait for each other in a row. */
const EACH_ALONE = { runsMax: Number.POSITIVE_INFINITY, sizeMax: 1 }

export interface LedgerNeeds {
  readonly db: Database
  /** Called after a write that left a message in the outbox. */
  hintOutbox(): void
  /** Several approvals share a statement and its commit; off: each is a write of its own. */
  readonly batching: boolean
}

/** The double entry: every change is one of the SQL functions in `functions/ledger`, where rules and refusals are documented. */
export class Ledger {
  readonly actions: ReturnType<typeof ledgerActions>
  readonly #approve: (approval: Approval) => Promise<Outcome>
  readonly #db: Database
  readonly #hintOutbox: () => void

  constructor({ db, hintOutbox, batching }: LedgerNeeds) {
    this.#db = db
    this.#hintOutbox = hintOutbox
    this.#approve = createBatches<Approval, Outcome>({
      ...(batching ? TOGETHER : EACH_ALONE),
      run: (approvals) => approveTogether(db, approvals),
    })
    this.actions = ledgerActions({ approveShared: (actor, decision) => this.#approveShared(actor, decision) })
  }

  /** Decides about the soft cap once that is due. Where it is missed, owes what every approved order brought. Returns how many. */
  async payBackMissedSale(): Promise<number> {
    // A transaction of its own: it locks the campaign, for which approvals wait.
    await this.#db.query(sql`select decide_soft_cap(clock_timestamp())`)
    for (let total = 0; ; ) {
      const { count } = await this.#db.one<{ count: number }>(
        sql`select pay_back_missed_sale(${PAY_BACK_MAX}) as count`,
      )
      total += count
      if (count > 0) this.#hintOutbox()
      if (count < PAY_BACK_MAX) return total
    }
  }

  async #approveShared(actor: Actor, decision: OrderDecision): Promise<boolean> {
    const changed = refuseOutcome(await this.#approve({ ...decision, actor }))
    if (changed) this.#hintOutbox()
    return changed
  }
}

function approveTogether(db: Database, approvals: readonly Approval[]): Promise<Outcome[]> {
  const asked = approvals.map(({ orderId, seen, actor, reason }) => [
    orderId,
    seen ?? null,
    actor.operatorId,
    reason ?? null,
    actor.requestId,
  ])
  return db.query<Outcome>(
    sql`select refusal, changed from approve_orders(${recordsOf(asked)}::approval[], 'operator')`,
  )
}
