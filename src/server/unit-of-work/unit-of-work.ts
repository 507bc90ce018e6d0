import type { AuditAction, AuditSubject } from '../../shared/audit-actions.ts'
import type { Unnamed } from '../../shared/audit-fields.ts'
import type { Right, Role } from '../../shared/roles.ts'
import { type Database, type Queryable, type Statement, sql } from '../database/database.ts'
import { holdAccess } from './held-access.ts'

export { holdAccess } from './held-access.ts'

// Rules: RIGHT-8
/** The cookie of a browser's call. */
export interface PresentedCookie {
  readonly hash: Buffer
  readonly expiresAt: Date
  /** The token that takes its place if the call succeeds. */
  next?: string
}

export interface OperatorActor {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  /** For an API key: the subset of the role's rights that it has. */
  readonly scopes?: readonly Right[] | undefined
  /** Null if a second operator confirms this operator's request. */
  readonly sessionId: string | null
  /** The time of the last password or second factor; null if a second operator confirms. */
  readonly authenticatedAt: Date | null
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
  readonly requestId: string
  /** The idempotency key and body hash, for a statement that stores the key with its effect. */
  readonly once?: { readonly key: string; readonly hash: Buffer } | undefined
}

/** The command line, a job or the first start. */
export interface SystemActor {
  readonly kind: 'system'
  readonly operatorId: null
  readonly login: 'system'
  readonly requestId: null
}

export interface BuyerActor {
  readonly kind: 'buyer'
  readonly operatorId: null
  readonly userId: string
  readonly login: 'buyer'
  /** The session and its last authentication, for changes of the own account. */
  readonly sessionId?: string | undefined
  readonly authenticatedAt?: Date | undefined
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
  readonly requestId: string | null
}

export type Actor = OperatorActor | SystemActor | BuyerActor

export const system: SystemActor = { kind: 'system', operatorId: null, login: 'system', requestId: null }

/** Kinds of outbox rows and their facts; a job turns them into mails, webhooks and live events. */
export interface Told {
  readonly campaign_changed: { readonly fields?: readonly string[] }
  readonly currency_changed: {
    readonly code: string
    readonly fields: readonly string[]
    readonly before: Readonly<Record<string, unknown>>
    readonly after: Readonly<Record<string, unknown>>
    readonly by: string
  }
  /** Pages whose analytics keys have changed. */
  readonly analytics_changed: { readonly locations: readonly string[] }
  readonly order_changed: Readonly<Record<string, never>>
  readonly refund_claimed: { readonly refund: string }
  readonly approval_waiting: { readonly action: string }
  readonly approval_decided: { readonly action: string }
}
export type ToldKind = keyof Told

export interface About {
  readonly orderId?: string | null
  readonly userId?: string | null
}

/** Before and after in an audit entry; a type error if the page has no name for a value. */
export type AuditValues<Before, After> = { readonly before?: Before; readonly after?: After } & ([
  Unnamed<Before | After>,
] extends [never]
  ? unknown
  : { readonly hasNoName: Unnamed<Before | After> })

/**
 * A transaction with an actor. All writes to audit log, outbox and order events go through it, so that none
 * lacks its actor.
 */
export interface UnitOfWork extends Queryable {
  readonly actor: Actor
  // Rules: RIGHT-23
  /**
   * Writes an audit entry: ids and settings, never a buyer's name, e-mail or phone. A buyer's unit writes
   * none. The types reject fields and words that the page has no name for.
   */
  audit<const Before = undefined, const After = undefined>(
    action: AuditAction,
    subject: { readonly type: AuditSubject; readonly id: string },
    values?: AuditValues<Before, After>,
  ): Promise<void>
  /** Writes an outbox row; the outbox worker wakes up after the commit. */
  tell<K extends ToldKind>(kind: K, facts: Told[K], about?: About): Promise<void>
  noteOrderEvent(orderId: string, kind: string, details?: Readonly<Record<string, unknown>>): Promise<void>
  /** The same transaction in another actor's name, to execute a confirmed request. */
  inNameOf(actor: Actor): UnitOfWork
}

export interface RunOptions {
  /** The unit changes the actor's own account and may end the session. */
  readonly isOwnAccount?: boolean
}

export interface UnitsOfWorkNeeds {
  readonly db: Database
  /**
   * Called after each commit with the kinds that the unit published; SQL functions may have published others.
   */
  afterCommit(kinds: ReadonlySet<ToldKind>): void
}

/** Runs units of work: all writes except single SQL statements that commit by themselves. */
export class UnitsOfWork {
  readonly #needs: UnitsOfWorkNeeds

  constructor(needs: UnitsOfWorkNeeds) {
    this.#needs = needs
  }

  // Rules: RIGHT-9
  /**
   * Runs `work` in a transaction as `actor`; rolls back if it throws. A serialization failure reruns `work`,
   * so it must have no effect outside the database. Throws `session_ended` if the actor's session or key has
   * ended.
   */
  async run<T>(
    actor: Actor,
    work: (unit: UnitOfWork) => Promise<T>,
    { isOwnAccount = false }: RunOptions = {},
  ): Promise<T> {
    let told = new Set<ToldKind>()
    const result = await this.#needs.db.transaction(async (tx) => {
      told = new Set()
      await holdAccess(tx, actor, isOwnAccount)
      return work(new TransactionalUnit(tx, actor, told))
    })
    this.#needs.afterCommit(told)
    return result
  }

  // Rules: TWO-10
  /** Runs `work` and rolls back, to get its errors now. */
  async dryRun(actor: Actor, work: (unit: UnitOfWork) => Promise<unknown>): Promise<void> {
    const dryRunEnd = new Error('dry run')
    try {
      await this.#needs.db.transaction(async (tx) => {
        await holdAccess(tx, actor)
        await work(new TransactionalUnit(tx, actor, new Set()))
        throw dryRunEnd
      })
    } catch (error) {
      if (error !== dryRunEnd) throw error
    }
  }
}

class TransactionalUnit implements UnitOfWork {
  readonly actor: Actor
  readonly #tx: Queryable
  readonly #told: Set<ToldKind>

  constructor(tx: Queryable, actor: Actor, told: Set<ToldKind>) {
    this.#tx = tx
    this.actor = actor
    this.#told = told
  }

  query<T>(statement: Statement, values?: readonly unknown[]): Promise<T[]> {
    return this.#tx.query<T>(statement, values)
  }

  one<T>(statement: Statement, values?: readonly unknown[]): Promise<T> {
    return this.#tx.one<T>(statement, values)
  }

  maybeOne<T>(statement: Statement, values?: readonly unknown[]): Promise<T | undefined> {
    return this.#tx.maybeOne<T>(statement, values)
  }

  async audit(
    action: AuditAction,
    subject: { type: AuditSubject; id: string },
    { before, after }: { readonly before?: unknown; readonly after?: unknown } = {},
  ): Promise<void> {
    if (this.actor.kind === 'buyer') return
    await this.#tx.query(
      sql`select write_audit(${this.actor.operatorId}, ${action}, ${subject.type}, ${subject.id},
                             ${JSON.stringify({ before, after })}, ${this.actor.requestId})`,
    )
  }

  async tell<K extends ToldKind>(kind: K, facts: Told[K], { orderId, userId }: About = {}): Promise<void> {
    await this.#tx.query(
      sql`select tell(${kind}, ${orderId ?? null}, ${userId ?? null}, ${JSON.stringify(facts)})`,
    )
    this.#told.add(kind)
  }

  async noteOrderEvent(
    orderId: string,
    kind: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.#tx.query(
      sql`select note_order_event(${orderId}, ${kind}, ${this.actor.kind}, ${this.actor.operatorId}, ${JSON.stringify(details)})`,
    )
  }

  inNameOf(actor: Actor): UnitOfWork {
    return new TransactionalUnit(this.#tx, actor, this.#told)
  }
}
