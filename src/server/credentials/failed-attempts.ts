import { isIPv4 } from 'node:net'
import type { Language } from '../../shared/languages.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { Refusal } from '../refusal.ts'
import { openName, type Secrets, type StoredText, storedName } from '../secrets/secrets.ts'
import { type Holder, holderColumn, holderKey } from './holder.ts'

/** `step_up`: inside a session; the others are at login. */
export type FailureReason = 'password' | 'code' | 'used_code' | 'step_up'

/** One account's, for one reason, from one network, in one day. */
export interface FailedAttempt {
  readonly reason: FailureReason
  /** By `shortNetwork`. */
  readonly network: string
  readonly attempts: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** The person gets a mail from this many failures within 24 hours; fewer are typing errors. */
const TOLD_FROM = 5
const LISTED_MAX = 50

export interface FailedAttemptsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

// Rules: RIGHT-28
export class FailedAttempts {
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #sendMail: FailedAttemptsNeeds['sendMail']
  readonly #running = new Set<Promise<void>>()

  constructor({ db, secrets, sendMail }: FailedAttemptsNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#sendMail = (tx, mail) => sendMail(tx, mail)
  }

  /**
   * In the background: the response time must not reveal whether the account exists. Mails the person about a
   * used code, or once failures reach `TOLD_FROM`.
   */
  note(holder: Holder, reason: FailureReason, network: string): void {
    const running = this.#keep(holder, reason, shortNetwork(network)).catch(() => undefined)
    this.#running.add(running)
    void running.then(() => this.#running.delete(running))
  }

  /** Stores a wrong or used code and rethrows. */
  async noteWrongCode(holder: Holder, network: string, check: () => Promise<void>): Promise<void> {
    await check().catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'second_factor_wrong')
        this.note(holder, error.details?.['isUsed'] ? 'used_code' : 'code', network)
      throw error
    })
  }

  async list(holder: Holder): Promise<FailedAttempt[]> {
    const rows = await this.#db.query<Row>(
      sql`select reason, network, attempts, first_at, last_at from failed_attempts
           where ${holderColumn(holder)} = ${holder.id}
           order by last_at desc, id desc limit ${LISTED_MAX}`,
    )
    return rows.map(({ first_at, last_at, ...row }) => ({ ...row, firstAt: first_at, lastAt: last_at }))
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #keep(holder: Holder, reason: FailureReason, network: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const column = holderColumn(holder)
      // Of many parallel failures only one sends a mail.
      await tx.query(
        sql`select pg_advisory_xact_lock(hashtextextended(${`failed attempts ${holderKey(holder)}`}, 0))`,
      )
      await tx.query(
        sql`insert into failed_attempts as f (${column}, reason, network) values (${holder.id}, ${reason}, ${network})
            on conflict (${column}, reason, network, day)
              do update set attempts = f.attempts + 1, last_at = now()`,
      )
      await this.#tell(tx, holder, reason, network)
    })
  }

  async #tell(tx: Queryable, holder: Holder, reason: FailureReason, network: string): Promise<void> {
    const isUsedCode = reason === 'used_code'
    const recent = await tx.one<{ attempts: number; networks: string[]; is_told: boolean }>(
      sql`select coalesce(sum(attempts), 0)::int as attempts,
                 coalesce(array_agg(distinct network) filter (where network <> ''), '{}') as networks,
                 coalesce(bool_or(told_at > now() - interval '1 day'), false) as is_told
            from failed_attempts
           where ${holderColumn(holder)} = ${holder.id} and (reason = 'used_code') = ${isUsedCode}
             and last_at > now() - interval '1 day'`,
    )
    if (recent.is_told || (!isUsedCode && recent.attempts < TOLD_FROM)) return
    await tx.query(
      sql`update failed_attempts set told_at = now()
           where ${holderColumn(holder)} = ${holder.id} and reason = ${reason} and network = ${network}
             and day = (now() at time zone 'UTC')::date`,
    )
    const addressee = await readAddressee(this.#secrets, tx, holder)
    if (!addressee) return
    const person = { ...addressee, isOperators: holder.kind === 'operator' }
    const at = new Date().toISOString()
    const { attempts, networks } = recent
    await this.#sendMail(
      tx,
      isUsedCode
        ? { kind: 'code_used_again', ...person, network, at }
        : { kind: 'failed_attempts', ...person, attempts, networks: networks.slice(0, 5).join(', '), at },
    )
  }
}

interface Row {
  reason: FailureReason
  network: string
  attempts: number
  first_at: Date
  last_at: Date
}

/** Undefined for an operator without an address and for a deleted person. */
async function readAddressee(
  secrets: Secrets,
  tx: Queryable,
  { kind, id }: Holder,
): Promise<{ to: string; name: string; language: Language } | undefined> {
  if (kind === 'operator')
    return tx.maybeOne(
      sql`select email as to, login as name, language from operators
           where id = ${id} and email is not null and disabled_at is null`,
    )
  const row = await tx.maybeOne<{
    reference: string
    to: string
    name: StoredText
    language: Language
  }>(
    sql`select u.reference, u.email as to, ${storedName} as name, u.language
          from users u where u.id = ${id} and u.email is not null`,
  )
  return row && { to: row.to, name: openName(secrets, row), language: row.language }
}

/** IPv4 to /24, IPv6 to /48. */
export function shortNetwork(network: string): string {
  if (isIPv4(network)) return network.replace(/\d+$/, '0/24')
  const groups = network.split('::')[0]?.split(':') ?? []
  return network.endsWith('::/64') ? `${groups.slice(0, 3).join(':')}::/48` : network
}
