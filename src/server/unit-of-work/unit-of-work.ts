import type { AuditAction, AuditSubject } from '../../shared/audit-actions.ts'
import type { Unnamed } from '../../shared/audit-fields.ts'
import type { Right, Role } from '../../shared/roles.ts'
import { type Database, type Queryable, type Statement, sql } from '../database/database.ts'
import { holdAccess } from './held-access.ts'

export { holdAccess } from './held-access.ts'

/** An operator who asks, as an entry point has found out. */
export interface OperatorActor {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  /** Of an integration's key: the only rights of the operator's role that the key has. */
  readonly scopes?: readonly Right[] | undefined
  /** Null where a second operator confirms what this one asked for. */
  readonly sessionId: string | null
  /** When password or second factor were last given; null where a second operator confirms. */
  readonly authenticatedAt: Date | null
  readonly requestId: string
  /** The idempotency key of the request and the hash of its body, for a statement that keeps the key beside its effect. */
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
  /** The session that asks, and when password or second factor were last given in it, for what changes the own account. */
  readonly sessionId?: string | undefined
  readonly authenticatedAt?: Date | undefined
  readonly requestId: string | null
}

/** Who asks. */
export type Actor = OperatorActor | SystemActor | BuyerActor

export const system: SystemActor = { kind: 'system', operatorId: null, login: 'system', requestId: null }

/** What a row of the outbox tells; a job turns it into mails, webhooks and live events. */
export interface Told {
  readonly campaign_changed: { readonly fields?: readonly string[] }
  readonly currency_changed: {
    readonly code: string
    readonly fields: readonly string[]
    readonly before: Readonly<Record<string, unknown>>
    readonly after: Readonly<Record<string, unknown>>
    readonly by: string
  }
  /** Pages on which other analytics keys run now. */
  readonly analytics_changed: { readonly locations: readonly string[] }
  readonly order_changed: Readonly<Record<string, never>>
  readonly refund_claimed: { readonly refund: string }
  readonly approval_waiting: { readonly action: string }
  readonly approval_decided: { readonly action: string }
}
export type ToldKind = keyof Told

/** Whom a row of the outbox is about. */
export interface About {
  readonly orderId?: string | null
  readonly userId?: string | null
}

/** What an entry of the log shows before and after; of another type where the page could not name all of it. */
export type AuditValues<Before, After> = { readonly before?: Before; readonly after?: After } & ([
  Unnamed<Before | After>,
] extends [never]
  ? unknown
  : { readonly hasNoName: Unnamed<Before | After> })

/**
 * A transaction that knows who asked. What changes something writes the audit log, the outbox and order events through the unit, and
 * nowhere else, so that no caller can forget who it was or leave somebody untold.
 */
export interface UnitOfWork extends Queryable {
  readonly actor: Actor
  // Rules: RIGHT-23
  /**
   * Writes an entry of the audit log: ids and settings, never a buyer's name, e-mail or phone. A unit without an operator
   * (a buyer's) writes none. Takes no field and no word that the page has no name for.
   */
  audit<const Before = undefined, const After = undefined>(
    action: AuditAction,
    subject: { readonly type: AuditSubject; readonly id: string },
    values?: AuditValues<Before, After>,
  ): Promise<void>
  /** Writes a row of the outbox; whoever drains the outbox is woken once the unit is committed. */
  tell<K extends ToldKind>(kind: K, facts: Told[K], about?: About): Promise<void>
  /** Writes what happened to an order into its events, with who did it. */
  noteOrderEvent(orderId: string, kind: string, details?: Readonly<Record<string, unknown>>): Promise<void>
  /** The same transaction in the name of somebody else: a confirmation executes what another operator asked for. */
  inNameOf(actor: Actor): UnitOfWork
}

export interface RunOptions {
  /** What is changed is the own account of who asks, and may end the session that asks. */
  readonly isOwnAccount?: boolean
}

export interface UnitsOfWorkNeeds {
  readonly db: Database
  /** Called after each commit with the kinds that the unit told itself; a SQL function may have told others. */
  afterCommit(kinds: ReadonlySet<ToldKind>): void
}

/** Runs units of work: every write that is not one SQL statement of its own goes through here. */
export class UnitsOfWork {
  readonly #needs: UnitsOfWorkNeeds

  constructor(needs: UnitsOfWorkNeeds) {
    this.#needs = needs
  }

  // Rules: RIGHT-9
  /**
   * Runs `work` in a transaction as `actor` and commits, or leaves nothing where `work` throws. A serialization failure runs `work` again from
   * the start, so `work` has no effect outside the database. Refuses `session_ended` where the session or key that asks has ended meanwhile.
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
  /** Runs `work` as `make` does and takes everything back: what would be refused is refused now. */
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
