import type { AuditAction, AuditSubject } from '../../shared/audit-actions.ts'
import type { Unnamed } from '../../shared/audit-fields.ts'
import type { Right, Role } from '../../shared/roles.ts'
import { type Database, type Queryable, type Statement, sql } from '../database/database.ts'
import { holdAccess } from './held-access.ts'

export { holdAccess } from './held-access.ts'

// Rules: RIGHT-8
/** Of a browser's call. */
export interface PresentedCookie {
  readonly hash: Buffer
  readonly expiresAt: Date
  /** Replaces the token if the call succeeds. */
  next?: string
}

export interface OperatorActor {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  /** An API key's subset of the role's rights. */
  readonly scopes?: readonly Right[] | undefined
  /** Null if a second operator confirms. */
  readonly sessionId: string | null
  /** Last password or second factor; null if a second operator confirms. */
  readonly authenticatedAt: Date | null
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
  readonly requestId: string
  /** For a statement that stores the key with its effect. */
  readonly once?: { readonly key: string; readonly hash: Buffer } | undefined
}

/** Command line, job or first start. */
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
  /** For changes of the own account. */
  readonly sessionId?: string | undefined
  readonly authenticatedAt?: Date | undefined
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
  readonly requestId: string | null
}

export type Actor = OperatorActor | SystemActor | BuyerActor

export const system: SystemActor = { kind: 'system', operatorId: null, login: 'system', requestId: null }

/** Facts by kind of outbox row; a job turns them into mails, webhooks and live events. */
export interface Told {
  readonly campaign_changed: { readonly fields?: readonly string[] }
  readonly currency_changed: {
    readonly code: string
    readonly fields: readonly string[]
    readonly before: Readonly<Record<string, unknown>>
    readonly after: Readonly<Record<string, unknown>>
    readonly by: string
  }
  /** Pages with changed keys. */
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

/** A type error if the page has no name for a value. */
export type AuditValues<Before, After> = { readonly before?: Before; readonly after?: After } & ([
  Unnamed<Before | After>,
] extends [never]
  ? unknown
  : { readonly hasNoName: Unnamed<Before | After> })

/** All writes to audit log, outbox and order events go through it, so that none lacks its actor. */
export interface UnitOfWork extends Queryable {
  readonly actor: Actor
  // Rules: RIGHT-23
  /**
   * Ids and settings, never a buyer's name, e-mail or phone. A buyer's unit writes none. The types reject
   * fields and words that the page has no name for.
   */
  audit<const Before = undefined, const After = undefined>(
    action: AuditAction,
    subject: { readonly type: AuditSubject; readonly id: string },
    values?: AuditValues<Before, After>,
  ): Promise<void>
  /** Wakes the outbox worker after the commit. */
  tell<K extends ToldKind>(kind: K, facts: Told[K], about?: About): Promise<void>
  noteOrderEvent(orderId: string, kind: string, details?: Readonly<Record<string, unknown>>): Promise<void>
  /** The same transaction for another actor, to execute a confirmed request. */
  inNameOf(actor: Actor): UnitOfWork
}

export interface RunOptions {
  /** May end the session. */
  readonly isOwnAccount?: boolean
}

export interface UnitsOfWorkNeeds {
  readonly db: Database
  /** After each commit, with the kinds that the unit published; SQL functions may have published others. */
  afterCommit(kinds: ReadonlySet<ToldKind>): void
}

/** All writes but single SQL statements that commit by themselves. */
export class UnitsOfWork {
  readonly #needs: UnitsOfWorkNeeds

  constructor(needs: UnitsOfWorkNeeds) {
    this.#needs = needs
  }

  // Rules: RIGHT-9
  /**
   * A throw rolls back. A serialization failure reruns `work`, so it must have no effect outside the
   * database. Throws `session_ended` if the actor's session or key has ended.
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
  /** Rolls back, to get the errors of `work` now. */
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
