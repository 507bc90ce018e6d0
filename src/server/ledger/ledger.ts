import type { ErrorCode } from '../../shared/error-codes.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'

/** Who decides: an operator by hand, or (operatorId null) a confirmed payment. */
export interface Decision {
  readonly operatorId: string | null
  readonly reason?: string | undefined
  readonly requestId?: string | undefined
}

export interface Grant {
  readonly userId: string
  /** Tokens, up to 6 decimals; 0 writes nothing. */
  readonly amount: string
  readonly operatorId: string
  readonly reason: string
  readonly requestId: string
  readonly idempotencyKey: string | undefined
  readonly requestHash: Buffer
}

const APPROVE = statement(
  'orders_approve',
  `select o.refusal, o.changed
     from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[])
          with ordinality as r(order_id, via, operator_id, reason, request_id, position),
          lateral approve_order(r.order_id, r.via, r.operator_id, r.reason, r.request_id) o
    order by r.position`,
)
const REJECT = statement('order_reject', 'select refusal, changed from reject_order($1, $2, $3, $4)')
const GRANT = statement(
  'ledger_grant',
  'select refusal, posting_id from grant_tokens($1, $2, $3, $4, $5, row($6, $7)::idempotency)',
)
const REVERSE_GRANT = statement(
  'ledger_reverse_grant',
  'select refusal, posting_id from reverse_grant($1, $2, $3)',
)

interface Outcome {
  refusal: ErrorCode | null
  changed: boolean
}

export interface Ledger {
  /** Approves an order and credits it exactly once, in one statement, which several may share (`batching`). Answers whether this call changed it. */
  approve(orderId: string, via: 'chain' | 'operator', decision: Decision): Promise<boolean>
  /** Rejects an order; an approved one is debited exactly what was credited. Answers whether this call changed it. */
  reject(orderId: string, decision: Decision): Promise<boolean>
  /** Grants tokens out of the bonus share; the posting's id, or null for a grant of 0. */
  grant(grant: Grant): Promise<string | null>
  /** Takes a grant back by entries of its own; the new posting's id. */
  reverseGrant(postingId: string, operatorId: string, requestId: string): Promise<string>
}

interface Approval extends Decision {
  readonly orderId: string
  readonly via: 'chain' | 'operator'
}

/** One write at a time: approvals touch the holdings of buyers, and two that share buyers would wait for each other in a circle. */
const TOGETHER = { runsMax: 1, sizeMax: 32 }
/** One approval touches one buyer's holding, so that any number can wait for each other in a row. */
const EACH_ALONE = { runsMax: Number.POSITIVE_INFINITY, sizeMax: 1 }

export interface LedgerOptions {
  /** Called after a write that left a message in the outbox. */
  hintOutbox(): void
  /** Several approvals share a statement and its commit; off: each is a write of its own. */
  readonly batching: boolean
}

/** The money paths: each is one SQL function of `functions/ledger/`, where its rules and refusals are documented. */
export function createLedger(db: Database, { hintOutbox, batching }: LedgerOptions): Ledger {
  const approve = createBatches<Approval, Outcome>({
    ...(batching ? TOGETHER : EACH_ALONE),
    run: (approvals) =>
      db.query<Outcome>(APPROVE, [
        approvals.map(({ orderId }) => orderId),
        approvals.map(({ via }) => via),
        approvals.map(({ operatorId }) => operatorId),
        approvals.map(({ reason }) => reason ?? null),
        approvals.map(({ requestId }) => requestId ?? null),
      ]),
  })
  const settle = ({ refusal, changed }: Outcome) => {
    if (refusal) refuse(refusal)
    if (changed) hintOutbox()
    return changed
  }
  return {
    async approve(orderId, via, decision) {
      return settle(await approve({ ...decision, orderId, via }))
    },
    async reject(orderId, { operatorId, reason, requestId }) {
      return settle(await db.one<Outcome>(REJECT, [orderId, operatorId, reason ?? null, requestId ?? null]))
    },
    async grant({ userId, amount, operatorId, reason, requestId, idempotencyKey, requestHash }) {
      const values = [
        userId,
        amount,
        operatorId,
        reason,
        requestId,
        idempotencyKey ?? null,
        idempotencyKey ? requestHash : null,
      ]
      const { refusal, posting_id } = await db.one<{ refusal: ErrorCode | null; posting_id: string | null }>(
        GRANT,
        values,
      )
      if (refusal) refuse(refusal)
      if (posting_id) hintOutbox()
      return posting_id
    },
    async reverseGrant(postingId, operatorId, requestId) {
      const { refusal, posting_id } = await db.one<{ refusal: ErrorCode | null; posting_id: string }>(
        REVERSE_GRANT,
        [postingId, operatorId, requestId],
      )
      if (refusal) refuse(refusal)
      hintOutbox()
      return posting_id
    },
  }
}
