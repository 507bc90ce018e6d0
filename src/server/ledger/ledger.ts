import { createBatches } from '../database/batches.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { recordsOf } from '../database/records.ts'
import type { Actor } from '../unit-of-work/unit-of-work.ts'
import { ledgerActions, type OrderDecision } from './ledger-actions.ts'
import { type Outcome, refuseOutcome } from './outcome.ts'

export { takeableTokens } from './takeable.ts'

interface Approval extends OrderDecision {
  readonly actor: Actor
}

/** One write at a time: two writes with common buyers' holdings could deadlock. */
const TOGETHER = { runsMax: 1, sizeMax: 32 }
/** Orders taken back in one transaction after a missed soft cap. */
const PAY_BACK_MAX = 100
/** An approval updates one holding, so any number can wait in line. */
const EACH_ALONE = { runsMax: Number.POSITIVE_INFINITY, sizeMax: 1 }

export interface LedgerNeeds {
  readonly db: Database
  hintOutbox(): void
  /** Several approvals share a statement and commit. */
  readonly batching: boolean
}

/** Every change is an SQL function in `functions/ledger`, with its rules and errors. */
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

  /** If the due soft cap is missed, owes back every approved order's payments. */
  async payBackMissedSale(): Promise<number> {
    // A separate transaction: approvals wait for its lock of the campaign.
    await this.#db.query(sql`select decide_soft_cap(clock_timestamp())`)
    for (let total = 0; ; ) {
      const count = await this.#db.transaction(rejectOfMissedSale)
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

/** No round lists tokens before the verdict, so each order can be taken back. */
async function rejectOfMissedSale(tx: Queryable): Promise<number> {
  const rejected = await tx.query<{ id: string; refusal: string | null }>(
    sql`select o.id, r.refusal from (
          select id from orders where status = 'approved' and exists (select from campaign where soft_cap_verdict = 'missed')
           order by id limit ${PAY_BACK_MAX} for update skip locked
        ) o cross join lateral reject_order(o.id, null, 'soft_cap_missed', null) r`,
  )
  const kept = rejected.find(({ refusal }) => refusal !== null)
  if (kept) throw new Error(`order ${kept.id} of a missed sale can't be taken back: ${kept.refusal}`)
  return rejected.length
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
