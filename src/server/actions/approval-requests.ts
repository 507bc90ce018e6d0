import { z } from 'zod'
import {
  type ActionName,
  type ApprovableActionName,
  approvableActions,
  actions as rules,
} from '../../shared/actions.ts'
import type { ApprovalRequest } from '../../shared/api/approvals.ts'
import { can, type Role } from '../../shared/roles.ts'
import { type Database, fragment, sql } from '../database/database.ts'
import { InvalidInput } from '../invalid-input.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { Refusal, refuse } from '../refusal.ts'
import { openInput, type Secrets, type StoredText, storedInput } from '../secrets/secrets.ts'
import {
  type OperatorActor,
  system,
  type UnitOfWork,
  type UnitsOfWork,
} from '../unit-of-work/unit-of-work.ts'
import { type AnyAction, type ApprovalDraft, defineAction, type TakeProof } from './action.ts'
import { readStaff, relatedUntil, type Staff } from './independence.ts'
import { holdTexts } from './waiting-words.ts'

/**
 * Without dual control, texts with an address are published after this delay, so that an owner can react to
 * the mail.
 */
const PUBLIC_LATER_MINUTES = 60
/** Waiting requests of one operator. */
const WAITING_MAX = 100

// Rules: TWO-20
/** The operator reading or deciding. An API key cannot decide. */
export interface Decider {
  readonly operatorId: string
  readonly role: Role
  readonly isIntegration?: boolean
}

/** A new request. `isPublicLater`: executed automatically after an hour. */
export interface Waiting extends ApprovalDraft {
  readonly isPublicLater?: boolean
  readonly takeProof?: TakeProof | undefined
}

interface Kept {
  /** The request's idempotency key and the hash of its body in hex. */
  readonly once?: { readonly key: string; readonly hash: string }
}

interface Row {
  id: string
  kind: ApprovableActionName
  subject_type: string
  subject_id: string
  payload: Kept
  input: StoredText
  summary: Record<string, string>
  state: ApprovalRequest['state']
  requested_by: string
  requester: string
  requester_role: Role
  requester_disabled_at: Date | null
  request_id: string
  requested_at: Date
  due_at: Date | null
  expires_at: Date
  decided_by: string | null
  decider: string | null
  decided_at: Date | null
}

const byId = z.object({ id: z.string() })
const noStaff: Staff = { members: [], links: [] }

const stateNow = fragment`case when p.state = 'waiting' and p.expires_at <= now() then 'expired' else p.state end`
const columns = fragment`p.id, p.kind, p.subject_type, p.subject_id, p.payload, ${storedInput} as input, p.summary,
  ${stateNow} as state,
  p.requested_by, r.login as requester, r.role as requester_role, r.disabled_at as requester_disabled_at, p.request_id,
  p.requested_at, p.due_at, p.expires_at, p.decided_by, d.login as decider, p.decided_at`
const source = fragment`from approval_requests p join operators r on r.id = p.requested_by
  left join operators d on d.id = p.decided_by`

export interface ApprovalRequestsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
  readonly actionOf: (name: ActionName) => AnyAction | undefined
}

export class ApprovalRequests {
  readonly actions = {
    'approval.confirm': defineAction({
      name: 'approval.confirm',
      input: byId,
      execute: (unit, { id }) => this.confirm(unit, id),
    }),
    'approval.reject': defineAction({
      name: 'approval.reject',
      input: byId,
      execute: (unit, { id }) => this.refuse(unit, id),
    }),
  }
  readonly #db: Database
  readonly #units: UnitsOfWork
  readonly #secrets: Secrets
  readonly #actionOf: ApprovalRequestsNeeds['actionOf']

  constructor({ db, units, secrets, actionOf }: ApprovalRequestsNeeds) {
    this.#db = db
    this.#units = units
    this.#secrets = secrets
    this.#actionOf = actionOf
  }

  // Rules: TWO-10
  /**
   * Notifies owners and watching operators; returns the request's id. A dry run rejects at once an action
   * that could never be confirmed. An identical request of the same operator is stored once. Throws
   * too_many_requests.
   */
  async keep(action: AnyAction, actor: OperatorActor, input: unknown, waiting: Waiting): Promise<string> {
    const name = waiting.keep?.action ?? action.name
    const given = waiting.keep ? waiting.keep.input : input
    const once: Kept = actor.once
      ? { once: { key: actor.once.key, hash: actor.once.hash.toString('hex') } }
      : {}
    const text = JSON.stringify(given)
    const marks = this.#secrets.macs('pending action', text).map((mark) => mark.toString('hex'))
    await this.#units.dryRun(actor, (unit) => this.#execute(unit, name, given))
    return this.#units.run(actor, async (unit) => {
      await waiting.takeProof?.(unit)
      const { subject, summary } = waiting
      const known = await unit.maybeOne<{ id: string }>(
        sql`select id from approval_requests
             where state = 'waiting' and expires_at > now() and kind = ${name} and subject_id = ${subject.id}
               and payload ->> 'mark' = any(${marks}::text[]) and requested_by = ${actor.operatorId} limit 1`,
      )
      if (known) return known.id
      const { count } = await unit.one<{ count: number }>(
        sql`select count(*)::integer as count from approval_requests
             where state = 'waiting' and expires_at > now() and requested_by = ${actor.operatorId}`,
      )
      // Each is a mail to every owner, and is decided by itself.
      if (count >= WAITING_MAX)
        refuse('too_many_requests', { retryAfterSeconds: 3600, limit: 'approval_requests' })
      const { id } = await unit.one<{ id: string }>(
        sql`select nextval(pg_get_serial_sequence('approval_requests', 'id')) as id`,
      )
      const sealed = this.#secrets.encrypt('approval-request', text, id).toString('base64')
      const payload = JSON.stringify({ ...once, sealed, mark: marks[0] })
      await unit.query(
        sql`insert into approval_requests (id, kind, subject_type, subject_id, payload, summary, requested_by, request_id, due_at)
            overriding system value values (${id}, ${name}, ${subject.type}, ${subject.id}, ${payload},
                    ${JSON.stringify(summary)}, ${actor.operatorId}, ${actor.requestId},
                    case when ${waiting.isPublicLater ?? false} then now() + make_interval(mins => ${PUBLIC_LATER_MINUTES}) end)`,
      )
      await unit.tell('approval_waiting', { action: id })
      await unit.audit('approval.request', pendingSubject(id), {
        after: { kind: name, subject: subject.id, ...summary },
      })
      return id
    })
  }

  /**
   * True if the request with this idempotency key was stored and confirmed; a repeat then finds its effect.
   */
  async wasConfirmed(name: ActionName, operatorId: string, key: string): Promise<boolean> {
    const row = await this.#db.maybeOne(
      sql`select 1 from approval_requests
           where state = 'confirmed' and kind = ${name} and requested_by = ${operatorId}
             and payload -> 'once' ->> 'key' = ${key} limit 1`,
    )
    return row !== undefined
  }

  /** Newest first, of the kinds that the decider's role may decide. */
  async list(
    decider: Decider,
    state: ApprovalRequest['state'],
    query: PageQuery = { limit: 100 },
  ): Promise<PageOf<ApprovalRequest>> {
    const kinds = approvableActions.filter((name) => hasRightFor(name, decider.role))
    const rows = await this.#db.query<Row>(
      sql`select ${columns} ${source}
           where p.kind = any(${kinds}) and ${stateNow} = ${state} and p.id < ${idAfter(query)}::bigint
           order by p.id desc limit ${query.limit + 1}`,
    )
    const staff = await readStaff(this.#db)
    return pageOf(rows, query.limit, (row) => actionFromRow(row, this.#shown(row), decider, staff))
  }

  async waiting(): Promise<{ kind: ApprovalRequest['kind']; count: number; since: string }[]> {
    const rows = await this.#db.query<{ kind: ApprovalRequest['kind']; count: number; since: Date }>(
      sql`select kind, count(*)::integer as count, min(requested_at) as since
            from approval_requests where state = 'waiting' and expires_at > now() group by kind order by kind`,
    )
    return rows.map((row) => ({ ...row, since: row.since.toISOString() }))
  }

  // Rules: TWO-1
  /**
   * Executes the request in the confirmation's transaction in the requester's name, at most once. Throws
   * not_found, not_for_your_role, approval_decided, approval_expired (also if the requester lost the right or
   * no known `SECRET_KEY` opens the input), approval_own, approval_related, then the action's errors.
   */
  async confirm(unit: UnitOfWork, id: string): Promise<ApprovalRequest> {
    const { decider, row } = await this.#lock(unit, id)
    if (row.requested_by === decider.operatorId) refuse('approval_own')
    const until = relatedUntil(await readStaff(unit), decider.operatorId, row.requested_by)
    if (until !== null) refuse('approval_related', { until: new Date(until).toISOString() })
    await this.#executeKept(unit, row)
    return this.#decide(unit, row, 'confirmed')
  }

  // Rules: TWO-21
  /**
   * Each in its own transaction; rejects those that fail. Skipped under dual control, which needs the
   * second operator.
   */
  async executeDue(): Promise<void> {
    const due = await this.#db.query<{ id: string }>(
      sql`select p.id from approval_requests p cross join campaign c
           where p.state = 'waiting' and p.due_at <= now() and p.expires_at > now() and not c.second_operator
           order by p.id limit 100`,
    )
    for (const { id } of due) {
      const decide = (outcome: 'confirmed' | 'refused') =>
        this.#units.run(system, async (unit) => {
          const row = await unit.maybeOne<Row>(
            sql`select ${columns} ${source} where p.id = ${id} and p.state = 'waiting' for update of p`,
          )
          if (!row) return
          if (outcome === 'confirmed') await this.#executeKept(unit, row)
          await this.#decide(unit, row, outcome)
        })
      await decide('confirmed').catch((error: unknown) => {
        if (error instanceof Refusal || error instanceof InvalidInput) return decide('refused')
        throw error
      })
    }
  }

  /** Throws approval_expired, then the action's errors. */
  async #executeKept(unit: UnitOfWork, row: Row): Promise<void> {
    if (row.requester_disabled_at || !hasRightFor(row.kind, row.requester_role)) refuse('approval_expired')
    const { once } = row.payload
    const requester: OperatorActor = {
      kind: 'operator',
      operatorId: row.requested_by,
      login: row.requester,
      role: row.requester_role,
      sessionId: null,
      authenticatedAt: null,
      requestId: row.request_id,
      once: once && { key: once.key, hash: Buffer.from(once.hash, 'hex') },
    }
    const text = openInput(this.#secrets, row) ?? refuse('approval_expired')
    await this.#execute(unit.inNameOf(requester), row.kind, JSON.parse(text))
  }

  /**
   * Rejects a request or withdraws one's own. Throws not_found, not_for_your_role, approval_decided,
   * approval_expired.
   */
  async refuse(unit: UnitOfWork, id: string): Promise<ApprovalRequest> {
    const { row } = await this.#lock(unit, id)
    return this.#decide(unit, row, 'refused')
  }

  async #execute(unit: UnitOfWork, name: ActionName, input: unknown): Promise<void> {
    const action = this.#actionOf(name)
    if (!action) throw new Error(`invariant broken: no action is named ${name}`)
    if (action.publishes) await holdTexts(unit)
    await action.execute(unit, action.input.parse(input))
  }

  async #lock(unit: UnitOfWork, id: string): Promise<{ decider: OperatorActor; row: Row }> {
    if (unit.actor.kind !== 'operator') return refuse('not_for_your_role')
    const row =
      (await unit.maybeOne<Row>(sql`select ${columns} ${source} where p.id = ${id} for update of p`)) ??
      refuse('not_found')
    if (unit.actor.scopes || !hasRightFor(row.kind, unit.actor.role)) refuse('not_for_your_role')
    if (row.state !== 'waiting') refuse(row.state === 'expired' ? 'approval_expired' : 'approval_decided')
    return { decider: unit.actor, row }
  }

  async #decide(unit: UnitOfWork, row: Row, outcome: 'confirmed' | 'refused'): Promise<ApprovalRequest> {
    const { operatorId } = unit.actor
    await unit.query(
      sql`update approval_requests set state = ${outcome}, decided_by = ${operatorId}, decided_at = now() where id = ${row.id}`,
    )
    await unit.tell('approval_decided', { action: row.id })
    await unit.audit(
      outcome === 'confirmed' ? 'approval.confirm' : 'approval.reject',
      pendingSubject(row.id),
      {
        after: { kind: row.kind, subject: row.subject_id, requestedBy: row.requester },
      },
    )
    const decided = await unit.one<Row>(sql`select ${columns} ${source} where p.id = ${row.id}`)
    const decider =
      unit.actor.kind === 'operator' ? unit.actor : { operatorId: '', role: decided.requester_role }
    return actionFromRow(decided, this.#shown(decided), decider, noStaff)
  }

  /**
   * Returns the details for the second operator; only the summary if no known `SECRET_KEY` opens the rest.
   */
  #shown(row: Row): Record<string, string> {
    const action = this.#actionOf(row.kind)
    const text = action?.showsSealed ? openInput(this.#secrets, row) : null
    return text === null
      ? row.summary
      : { ...row.summary, ...action?.showsSealed?.(action.input.parse(JSON.parse(text))) }
  }
}

const pendingSubject = (id: string) => ({ type: 'approval-request', id }) as const

function hasRightFor(name: ActionName, role: Role): boolean {
  const { right } = rules[name]
  return right === 'any' || right === 'own' || can(role, right)
}

/** Expires an operator's open requests, so that they don't return together with the right. */
export async function endRequestsOf(unit: UnitOfWork, operatorId: string): Promise<void> {
  await unit.query(
    sql`update approval_requests set expires_at = now()
         where requested_by = ${operatorId} and state = 'waiting' and expires_at > now()`,
  )
}

function actionFromRow(
  row: Row,
  summary: Record<string, string>,
  decider: Decider,
  staff: Staff,
): ApprovalRequest {
  const isOpen = row.state === 'waiting'
  const hasRight = !decider.isIntegration && hasRightFor(row.kind, decider.role)
  const confirmers = isOpen ? confirmersOf(row, staff) : []
  return {
    id: row.id,
    kind: row.kind,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    summary,
    state: row.state,
    requestedBy: { id: row.requested_by, login: row.requester },
    requestedAt: row.requested_at.toISOString(),
    dueAt: row.due_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decided_by === null ? null : { id: row.decided_by, login: row.decider ?? '' },
    decidedAt: row.decided_at?.toISOString() ?? null,
    mayConfirm: hasRight && confirmers.some(({ id, from }) => id === decider.operatorId && from === null),
    mayRefuse: isOpen && hasRight,
    confirmers: confirmers.map(({ login, from }) => ({ login, from })),
  }
}

/** Operators who can confirm a request, and from when; null: now. */
function confirmersOf(row: Row, staff: Staff): { id: string; login: string; from: string | null }[] {
  return staff.members
    .filter(({ id, role, canLogIn }) => canLogIn && id !== row.requested_by && hasRightFor(row.kind, role))
    .map(({ id, login }) => {
      const until = relatedUntil(staff, id, row.requested_by)
      return { id, login, from: until === null ? null : new Date(until).toISOString() }
    })
}
