import { type PendingAction, type PendingActionKind, rightByAction } from '../../shared/api/approvals.ts'
import type { CurrencyInput } from '../../shared/api/currencies.ts'
import type { AuditAction } from '../../shared/audit-actions.ts'
import { can, type Role } from '../../shared/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import { createEditCampaign } from '../campaign/campaign.ts'
import { type Currencies, type CurrencyChange, createCurrencies } from '../currencies/currencies.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { createLedger } from '../ledger/ledger.ts'
import { refuse } from '../refusal.ts'
import { insideTransaction } from './inside-transaction.ts'

/** Who decides. A key of an integration is no pair of eyes. */
export interface Decider {
  readonly operatorId: string
  readonly role: Role
  readonly isIntegration?: boolean
}

export type WalletChange =
  | { kind: 'add'; input: CurrencyInput }
  | { kind: 'update'; code: string; change: CurrencyChange }
  | { kind: 'evm'; address: string }

/**
 * Two pairs of eyes, where the campaign asks for them. A guard comes back at once where one operator is enough; else it
 * keeps what was asked and refuses `second_operator_required` (details.pendingActionId). Another operator with the same
 * right confirms, and it is done in the transaction of the confirmation: once, or not at all.
 */
export interface Approvals {
  guardWallet(change: WalletChange, operatorId: string, requestId: string): Promise<void>
  /** An approval without a confirmed payment of at least what the order asks for. */
  guardApproval(
    orderId: string,
    operatorId: string,
    reason: string | undefined,
    requestId: string,
  ): Promise<void>
  guardGrant(
    grant: { userId: string; amount: string; reason: string },
    operatorId: string,
    requestId: string,
  ): Promise<void>
  /** Switching two pairs of eyes off, where another owner could confirm it. */
  guardOneOperator(operatorId: string, requestId: string): Promise<void>
  list(decider: Decider, state: PendingAction['state']): Promise<PendingAction[]>
  /** Refuses `not_found`, `not_for_your_role`, `action_decided`, `action_expired`, `action_own`, then what the action itself refuses. */
  confirm(id: string, decider: Decider, requestId: string): Promise<PendingAction>
  refuse(id: string, decider: Decider, requestId: string): Promise<PendingAction>
  /** Waiting actions by kind, for the overview. */
  waiting(): Promise<{ kind: PendingActionKind; count: number; since: string }[]>
}

export interface ApprovalsOptions {
  readonly db: Database
  readonly currencies: Pick<Currencies, 'find' | 'invalidate'>
  readonly hintOutbox: () => void
}

/** What is kept of an action; confirming gives it back to the code that would have done it at once. */
type Payload =
  | { kind: 'wallet.add'; input: CurrencyInput }
  | { kind: 'wallet.change'; code: string; before: string; change: CurrencyChange }
  | { kind: 'wallet.change-evm'; address: string }
  | { kind: 'setting.one-operator' }
  | { kind: 'grant.add'; userId: string; amount: string; reason: string }
  | { kind: 'order.approve'; orderId: string; reason?: string | undefined }

interface Row {
  id: string
  kind: PendingActionKind
  subject_type: string
  subject_id: string
  payload: Payload
  summary: Record<string, string>
  state: PendingAction['state']
  requested_by: string
  requester: string
  requested_at: Date
  expires_at: Date
  is_over: boolean
  decided_by: string | null
  decider: string | null
  decided_at: Date | null
}

const COLUMNS = `p.id, p.kind, p.subject_type, p.subject_id, p.payload, p.summary,
  case when p.state = 'waiting' and p.expires_at <= now() then 'expired' else p.state end as state,
  p.requested_by, r.login as requester, p.requested_at, p.expires_at, p.expires_at <= now() as is_over,
  p.decided_by, d.login as decider, p.decided_at`
const FROM = `from pending_actions p join operators r on r.id = p.requested_by left join operators d on d.id = p.decided_by`

const IS_WANTED = statement('approvals_is_wanted', 'select second_operator as wanted from campaign')
const INSERT = statement(
  'approvals_insert',
  `insert into pending_actions (kind, subject_type, subject_id, payload, summary, requested_by, request_id)
   values ($1, $2, $3, $4, $5, $6, $7) returning id`,
)
/** The same asked again by the same operator is not kept twice. */
const KNOWN = statement(
  'approvals_known',
  `select id from pending_actions
    where state = 'waiting' and expires_at > now() and kind = $1 and subject_id = $2 and payload = $3::jsonb and requested_by = $4 limit 1`,
)
const LIST = statement(
  'approvals_list',
  `select * from (select ${COLUMNS} ${FROM} where p.kind = any($1) order by p.id desc limit 500) a where a.state = $2 limit 200`,
)
const SHOW = statement('approvals_show', `select ${COLUMNS} ${FROM} where p.id = $1`)
const LOCK = statement('approvals_lock', `select ${COLUMNS} ${FROM} where p.id = $1 for update of p`)
/** Owners hear of what waits; operators who watch read it again, also when it is decided. */
const TELL = statement('approvals_tell', 'insert into outbox (kind, payload) values ($1, $2)')
const DECIDE = statement(
  'approvals_decide',
  'update pending_actions set state = $2, decided_by = $3, decided_at = now() where id = $1',
)
const WAITING = statement(
  'approvals_waiting',
  `select kind, count(*)::integer as count, min(requested_at) as since
     from pending_actions where state = 'waiting' and expires_at > now() group by kind order by kind`,
)
const ORDER = statement(
  'approvals_order',
  `select o.currency, o.crypto_amount, o.usd, o.base_tokens + o.bonus_tokens as receive_tokens, o.status,
          coalesce((select sum(p.amount) from payments p
             where p.order_id = o.id and p.alive and p.confirmed and p.currency_id = o.currency_id), 0) >= o.crypto_amount as is_paid
     from orders o where o.id = $1`,
)
const OTHER_OWNERS = statement(
  'approvals_other_owners',
  `select exists (select 1 from operators where role = 'owner' and id <> $1 and disabled_at is null and password_hash is not null) as any`,
)
const USER = statement('approvals_user', 'select reference from users where id = $1')
const WALLET = statement(
  'approvals_wallet',
  'select address from currencies where code = upper($1) for update',
)

export function createApprovals({ db, currencies, hintOutbox }: ApprovalsOptions): Approvals {
  const readWanted = createBatches<undefined, boolean>({
    async run(asked) {
      const wanted = (await db.maybeOne<{ wanted: boolean }>(IS_WANTED))?.wanted ?? false
      return asked.map(() => wanted)
    },
    sizeMax: 100,
    runsMax: Number.POSITIVE_INFINITY,
  })
  const isWanted = () => readWanted(undefined)

  const keep = async (
    payload: Payload,
    subject: { type: string; id: string },
    summary: Record<string, string>,
    operatorId: string,
    requestId: string,
  ): Promise<never> => {
    const { kind } = payload
    await rehearse(db, payload, operatorId, requestId)
    const kept = JSON.stringify(payload)
    const id = await db.transaction(async (tx) => {
      const known = await tx.maybeOne<{ id: string }>(KNOWN, [kind, subject.id, kept, operatorId])
      if (known) return known.id
      const row = await tx.one<{ id: string }>(INSERT, [
        kind,
        subject.type,
        subject.id,
        kept,
        JSON.stringify(summary),
        operatorId,
        requestId,
      ])
      await tx.query(TELL, ['action_waiting', JSON.stringify({ action: row.id })])
      await audit(tx, 'action.request', row.id, operatorId, requestId, {
        kind,
        subject: subject.id,
        ...summary,
      })
      return row.id
    })
    hintOutbox()
    return refuse('second_operator_required', { pendingActionId: id })
  }

  const decide = async (
    id: string,
    decider: Decider,
    requestId: string,
    work: (tx: Queryable, row: Row) => Promise<'confirmed' | 'refused'>,
  ): Promise<PendingAction> => {
    const row = await db.transaction(async (tx) => {
      const locked = (await tx.maybeOne<Row>(LOCK, [id])) ?? refuse('not_found')
      if (decider.isIntegration || !can(decider.role, rightByAction[locked.kind])) refuse('not_for_your_role')
      if (locked.state !== 'waiting') refuse(locked.state === 'expired' ? 'action_expired' : 'action_decided')
      const outcome = await work(tx, locked)
      await tx.query(DECIDE, [id, outcome, decider.operatorId])
      await tx.query(TELL, ['action_decided', JSON.stringify({ action: id })])
      await audit(
        tx,
        outcome === 'confirmed' ? 'action.confirm' : 'action.refuse',
        id,
        decider.operatorId,
        requestId,
        {
          kind: locked.kind,
          subject: locked.subject_id,
          requestedBy: locked.requester,
        },
      )
      return tx.one<Row>(SHOW, [id])
    })
    hintOutbox()
    currencies.invalidate()
    return actionFromRow(row, decider)
  }

  return {
    async guardWallet(change, operatorId, requestId) {
      if (!(await isWanted())) return
      if (change.kind === 'evm') {
        const payload = { kind: 'wallet.change-evm', address: change.address } as const
        await keep(
          payload,
          { type: 'currency', id: 'ERC-20' },
          { address: change.address },
          operatorId,
          requestId,
        )
        return
      }
      if (change.kind === 'add') {
        const { code, address } = change.input
        const payload = { kind: 'wallet.add', input: change.input } as const
        await keep(
          payload,
          { type: 'currency', id: code },
          { currency: code, address },
          operatorId,
          requestId,
        )
        return
      }
      const now = await currencies.find(change.code)
      // Only what differs is kept: rates move while this waits, and what the form showed of them must not come back.
      const { revision: _, ...fields } = change.change
      const changed = Object.fromEntries(
        Object.entries(fields).filter(
          ([field, value]) => value !== undefined && value !== now[field as keyof typeof now],
        ),
      )
      const summary = {
        currency: now.code,
        before: now.address,
        address: change.change.address ?? now.address,
      }
      await keep(
        { kind: 'wallet.change', code: now.code, before: now.address, change: changed },
        { type: 'currency', id: now.code },
        summary,
        operatorId,
        requestId,
      )
    },

    async guardApproval(orderId, operatorId, reason, requestId) {
      if (!(await isWanted())) return
      const order = await db.maybeOne<OrderFacts>(ORDER, [orderId])
      // What needs no approval, or can't have one, is answered by the approval itself.
      if (!order || order.status === 'approved' || order.is_paid) return
      const summary = {
        order: `#${orderId}`,
        amount: `${order.crypto_amount} ${order.currency}`,
        usd: order.usd,
        tokens: order.receive_tokens,
        ...(reason ? { reason } : {}),
      }
      await keep(
        { kind: 'order.approve', orderId, reason },
        { type: 'order', id: orderId },
        summary,
        operatorId,
        requestId,
      )
    },

    async guardGrant(grant, operatorId, requestId) {
      if (!(await isWanted())) return
      const user = await db.maybeOne<{ reference: string }>(USER, [grant.userId])
      if (!user) return
      const summary = {
        user: user.reference,
        amount: grant.amount,
        ...(grant.reason ? { reason: grant.reason } : {}),
      }
      await keep(
        { kind: 'grant.add', ...grant },
        { type: 'user', id: grant.userId },
        summary,
        operatorId,
        requestId,
      )
    },

    async guardOneOperator(operatorId, requestId) {
      if (!(await isWanted())) return
      const others = await db.one<{ any: boolean }>(OTHER_OWNERS, [operatorId])
      if (!others.any) return
      const payload = { kind: 'setting.one-operator' } as const
      await keep(payload, { type: 'campaign', id: 'secondOperator' }, {}, operatorId, requestId)
    },

    async list(decider, state) {
      const kinds = (Object.keys(rightByAction) as PendingActionKind[]).filter((kind) =>
        can(decider.role, rightByAction[kind]),
      )
      return (await db.query<Row>(LIST, [kinds, state])).map((row) => actionFromRow(row, decider))
    },

    confirm: (id, decider, requestId) =>
      decide(id, decider, requestId, async (tx, row) => {
        if (row.requested_by === decider.operatorId) refuse('action_own')
        await perform(insideTransaction(db, tx), row.payload, `action:${row.id}`, row.requested_by, requestId)
        return 'confirmed'
      }),

    refuse: (id, decider, requestId) => decide(id, decider, requestId, async () => 'refused' as const),

    async waiting() {
      const rows = await db.query<{ kind: PendingActionKind; count: number; since: Date }>(WAITING)
      return rows.map((row) => ({ ...row, since: row.since.toISOString() }))
    },
  }
}

interface OrderFacts {
  currency: string
  crypto_amount: string
  usd: string
  receive_tokens: string
  status: string
  is_paid: boolean
}

class RolledBack extends Error {}

/**
 * Does it and takes it back, so that what could never be confirmed is refused now and by its own code; what must not be stored
 * at all, a private key in the place of an address, is among it.
 */
async function rehearse(
  db: Database,
  payload: Payload,
  operatorId: string,
  requestId: string,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await perform(insideTransaction(db, tx), payload, `rehearsal:${requestId}`, operatorId, requestId)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
}

/** Does what was asked, as the operator who asked; the confirmation's own audit entry names the second one. */
async function perform(
  db: Database,
  payload: Payload,
  idempotencyKey: string,
  operatorId: string,
  requestId: string,
): Promise<void> {
  const editor = { operatorId, requestId }
  const noHint = () => {}
  const ledger = createLedger(db, { hintOutbox: noHint, batching: false })
  switch (payload.kind) {
    case 'wallet.add':
      await createCurrencies(db, noHint).add(payload.input, editor)
      return
    case 'wallet.change': {
      const wallet =
        (await db.maybeOne<{ address: string }>(WALLET, [payload.code])) ?? refuse('currency_unknown')
      // The second operator was shown what it would replace.
      if (wallet.address !== payload.before) refuse('conflict', { current: { address: wallet.address } })
      await createCurrencies(db, noHint).update(payload.code, payload.change, editor)
      return
    }
    case 'wallet.change-evm':
      await createCurrencies(db, noHint).setEvmWallet(payload.address, editor)
      return
    case 'setting.one-operator': {
      const campaign = createEditCampaign({ db, hintOutbox: noHint })
      const { revision, settings } = await campaign.show()
      await campaign.update(revision, { ...settings, secondOperator: false }, editor)
      return
    }
    case 'grant.add':
      await ledger.grant({
        userId: payload.userId,
        amount: payload.amount,
        reason: payload.reason,
        operatorId,
        requestId,
        idempotencyKey,
        requestHash: Buffer.from(idempotencyKey),
      })
      return
    case 'order.approve':
      await ledger.approve(payload.orderId, 'operator', {
        ...editor,
        reason: payload.reason,
      })
  }
}

function audit(
  tx: Queryable,
  action: AuditAction,
  id: string,
  operatorId: string,
  requestId: string,
  after: object,
) {
  return recordAudit(tx, {
    operatorId,
    action,
    subjectType: 'pending-action',
    subjectId: id,
    after,
    requestId,
  })
}

function actionFromRow(row: Row, decider: Decider): PendingAction {
  const isOpen = row.state === 'waiting'
  const hasRight = !decider.isIntegration && can(decider.role, rightByAction[row.kind])
  return {
    id: row.id,
    kind: row.kind,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    summary: row.summary,
    state: row.state,
    requestedBy: { id: row.requested_by, login: row.requester },
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decided_by === null ? null : { id: row.decided_by, login: row.decider ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    mayConfirm: isOpen && hasRight && row.requested_by !== decider.operatorId,
    mayRefuse: isOpen && hasRight,
  }
}
