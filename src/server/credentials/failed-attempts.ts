import { isIPv4 } from 'node:net'
import type { Language } from '../../shared/languages.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { Refusal } from '../refusal.ts'
import { openName, type Secrets, type StoredText, storedName } from '../secrets/secrets.ts'
import { type Holder, holderColumn, holderKey } from './holder.ts'

/** A wrong password or code at a login, a code that had been used, a wrong password inside a session. */
export type FailureReason = 'password' | 'code' | 'used_code' | 'step_up'

/** What failed at one account for one reason, from one network, in one day. */
export interface FailedAttempt {
  readonly reason: FailureReason
  /** Shortened to the part that many share; empty for what failed inside a session. */
  readonly network: string
  readonly attempts: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** So many in a day are told by mail, once a day: fewer is what anybody mistypes. */
const TOLD_FROM = 5
const LISTED_MAX = 50

export interface FailedAttemptsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

// Rules: RIGHT-28
/** Attempts at an account that failed, shown to the person whose account it is. */
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
   * Keeps one, and tells its person by mail where it is one of several or a code that had been used. Nobody waits for it: whoever
   * guesses must not learn by the time of the answer whether there is such an account.
   */
  note(holder: Holder, reason: FailureReason, network: string): void {
    const running = this.#keep(holder, reason, shortNetwork(network)).catch(() => undefined)
    this.#running.add(running)
    void running.then(() => this.#running.delete(running))
  }

  /** Runs the check of a code, and keeps that it was wrong or had been used; the refusal goes on. */
  async noteWrongCode(holder: Holder, network: string, check: () => Promise<void>): Promise<void> {
    await check().catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'second_factor_wrong')
        this.note(holder, error.details?.['isUsed'] ? 'used_code' : 'code', network)
      throw error
    })
  }

  /** Those that are kept, the newest first, at most 50. */
  async list(holder: Holder): Promise<FailedAttempt[]> {
    const rows = await this.#db.query<Row>(
      sql`select reason, network, attempts, first_at, last_at from failed_attempts
           where ${holderColumn(holder)} = ${holder.id}
           order by last_at desc, id desc limit ${LISTED_MAX}`,
    )
    return rows.map(({ first_at, last_at, ...row }) => ({ ...row, firstAt: first_at, lastAt: last_at }))
  }

  /** Waits for what is being kept. */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  async #keep(holder: Holder, reason: FailureReason, network: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const column = holderColumn(holder)
      // One after another for one account, so that of many at once one tells.
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
    const person = await readAddressee(this.#secrets, tx, holder)
    if (!person) return
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

/** Whom to tell; undefined for an operator who gave no address, and for whoever has left. */
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

/** The part of an address that many share: of IPv4 three bytes, of IPv6 the /48. */
export function shortNetwork(network: string): string {
  if (isIPv4(network)) return network.replace(/\d+$/, '0/24')
  const groups = network.split('::')[0]?.split(':') ?? []
  return network.endsWith('::/64') ? `${groups.slice(0, 3).join(':')}::/48` : network
}
