import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import { isMarkOf, markCode, plainRecoveryCode, type Secrets } from '../secrets/secrets.ts'
import { type Holder, holderColumn, holderKey } from './holder.ts'

export interface SecondFactorState {
  /** A confirmed authenticator app. */
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
  /** How many of them count already. */
  recoveryCodesCounting: number
}

/** What an authenticator app or a browser shows: the site's name and the account's. */
export interface Labels {
  readonly issuer: string
  readonly label: string
}

/** A code of the step before or after is taken too: clocks differ. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10
/** Without letters that look alike; 10 letters of 31 are 49 bits. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const RECOVERY_LENGTH = 10

// Rules: RIGHT-39
/** Whoever had them made by a stolen session gets no further by them before its owner has read the mail. */
const COUNTS = fragment`created_at <= now() - interval '1 day'`

// Rules: RIGHT-39
/** An app is switched on within the hour in which its secret was shown: the proof that it took is of then. */
const MAY_BE_SWITCHED_ON = fragment`created_at > now() - interval '1 hour'`

/** What became of a code: taken, wrong, or right but used before. */
type Outcome = 'taken' | 'used' | 'wrong'

interface SecretRow {
  secret_encrypted: Buffer
  last_step: string
  confirmed_at: Date | null
}

export interface SecondFactorsNeeds {
  readonly secrets: Secrets
}

/** Codes from an authenticator app (RFC 6238) and recovery codes (each once) for both kinds of people. */
export class SecondFactors {
  readonly #secrets: Secrets

  constructor({ secrets }: SecondFactorsNeeds) {
    this.#secrets = secrets
  }

  /** Which second factors are on. */
  async state(db: Queryable, holder: Holder): Promise<SecondFactorState> {
    const column = holderColumn(holder)
    const row = await db.one<{ has_totp: boolean; passkeys: number; left: number; counting: number }>(
      sql`select exists (select from totp_secrets where ${column} = ${holder.id} and confirmed_at is not null) as has_totp,
                 (select count(*) from passkeys where ${column} = ${holder.id})::int as passkeys,
                 (select count(*) from recovery_codes where ${column} = ${holder.id} and used_at is null)::int as left,
                 (select count(*) from recovery_codes where ${column} = ${holder.id} and used_at is null and ${COUNTS})::int
                   as counting`,
    )
    const { has_totp: hasTotp, passkeys, left: recoveryCodesLeft, counting: recoveryCodesCounting } = row
    return { hasTotp, passkeys, recoveryCodesLeft, recoveryCodesCounting }
  }

  /** By which of them a login is asked for a second step; none where no second factor is on. */
  async methods(db: Queryable, holder: Holder): Promise<string[]> {
    const { hasTotp, passkeys, recoveryCodesCounting } = await this.state(db, holder)
    if (!hasTotp && passkeys === 0) return []
    return [
      ...(hasTotp ? ['totp'] : []),
      ...(passkeys > 0 ? ['passkey'] : []),
      ...(recoveryCodesCounting > 0 ? ['recovery_code'] : []),
    ]
  }

  /** Makes a secret that guards nothing until `confirmTotp`. Refuses `conflict` where one is on already. */
  async beginTotp(
    tx: Queryable,
    holder: Holder,
    { issuer, label }: Labels,
  ): Promise<{ secret: string; uri: string }> {
    const secret = generateSecret({ length: 20 })
    const sealed = this.#secrets.encrypt('totp', secret, holderKey(holder))
    const column = holderColumn(holder)
    const written = await tx.query(
      sql`insert into totp_secrets as t (${column}, secret_encrypted) values (${holder.id}, ${sealed})
          on conflict (${column}) do update set secret_encrypted = excluded.secret_encrypted, created_at = now()
            where t.confirmed_at is null
          returning id`,
    )
    if (written.length === 0) refuse('conflict')
    return { secret, uri: generateURI({ issuer, label, secret }) }
  }

  /** Switches the app on with its first code. Refuses `second_factor_wrong`. */
  async confirmTotp(tx: Queryable, holder: Holder, code: string): Promise<void> {
    const digits = normalCode(code)
    if (!/^\d{6}$/.test(digits) || (await this.#takeTotp(tx, holder, digits, false)) !== 'taken')
      refuse('second_factor_wrong')
  }

  /**
   * Takes a code of the app or a recovery code, each of which serves once; of parallel uses one wins. Refuses
   * `second_factor_wrong`, with `isUsed` for a code that had served.
   */
  async check(tx: Queryable, holder: Holder, code: string): Promise<void> {
    const compact = normalCode(code)
    const isTotp = /^\d{6}$/.test(compact)
    const outcome = isTotp
      ? await this.#takeTotp(tx, holder, compact, true)
      : await this.#takeRecoveryCode(tx, holder, compact)
    if (outcome !== 'taken') refuse('second_factor_wrong', outcome === 'used' ? { isUsed: true } : undefined)
  }

  /** Removes an app that is not switched on yet, with the challenges for a passkey: whoever has them proved to know the password of before. */
  async removeBegun(tx: Queryable, holder: Holder): Promise<void> {
    const column = holderColumn(holder)
    await tx.query(sql`delete from totp_secrets where ${column} = ${holder.id} and confirmed_at is null`)
    await tx.query(sql`delete from passkey_challenges where ${column} = ${holder.id}`)
  }

  async removeTotp(tx: Queryable, holder: Holder): Promise<void> {
    await tx.query(sql`delete from totp_secrets where ${holderColumn(holder)} = ${holder.id}`)
  }

  /** Ten new ones, which count after a day; the old ones end. Shown once, stored as sealed marks. */
  async newRecoveryCodes(tx: Queryable, holder: Holder): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    assert(new Set(codes).size === RECOVERY_CODES, 'recovery codes differ')
    const hashes = codes.map((code) =>
      this.#secrets.encrypt('recovery-code', markCode(codeText(holder, code)), holderKey(holder)),
    )
    const column = holderColumn(holder)
    await tx.query(sql`delete from recovery_codes where ${column} = ${holder.id}`)
    await tx.query(
      sql`insert into recovery_codes (${column}, code_hash) select ${holder.id}::bigint, unnest(${hashes}::bytea[])`,
    )
    return codes
  }

  // Rules: RIGHT-10
  /** Recovery codes go with the last factor that they stand in for: whoever knows them must not pass the next one. */
  async removeIdleCodes(tx: Queryable, holder: Holder): Promise<void> {
    const { hasTotp, passkeys } = await this.state(tx, holder)
    if (hasTotp || passkeys > 0) return
    await tx.query(sql`delete from recovery_codes where ${holderColumn(holder)} = ${holder.id}`)
  }

  /** Removes the app, the recovery codes and the passkeys: when access is given anew or an account is deleted. */
  async removeAll(tx: Queryable, holder: Holder): Promise<void> {
    await this.removeSince(tx, holder, new Date(0))
  }

  // Rules: RIGHT-10, RIGHT-38
  /**
   * Removes what was switched on, made or added since then, and recovery codes that stand in for nothing any more. Returns whether an app,
   * a passkey or a recovery code that could be used went.
   */
  async removeSince(tx: Queryable, holder: Holder, since: Date): Promise<boolean> {
    const column = holderColumn(holder)
    await this.removeBegun(tx, holder)
    const removed = await tx.query(
      sql`with apps as (delete from totp_secrets where ${column} = ${holder.id} and confirmed_at >= ${since} returning id),
               keys as (delete from passkeys where ${column} = ${holder.id} and created_at >= ${since} returning id),
               codes as (delete from recovery_codes where ${column} = ${holder.id} and created_at >= ${since}
                         returning id, used_at)
          select from apps union all select from keys union all select from codes where used_at is null`,
    )
    await this.removeIdleCodes(tx, holder)
    return removed.length > 0
  }

  async #takeRecoveryCode(tx: Queryable, holder: Holder, code: string): Promise<Outcome> {
    const id = await this.#findRecoveryCode(tx, holder, code)
    if (id === undefined) return 'wrong'
    const taken = await tx.query(
      sql`update recovery_codes set used_at = now() where id = ${id} and used_at is null returning id`,
    )
    return taken.length > 0 ? 'taken' : 'used'
  }

  /** Takes the code where it is right and newer than the last one taken, of an app that is on or not on yet. */
  async #takeTotp(tx: Queryable, holder: Holder, code: string, isOn: boolean): Promise<Outcome> {
    const column = holderColumn(holder)
    const row = await tx.maybeOne<SecretRow>(
      sql`select secret_encrypted, last_step, confirmed_at from totp_secrets
           where ${column} = ${holder.id} and (confirmed_at is not null or ${MAY_BE_SWITCHED_ON}) for update`,
    )
    if (!row || (row.confirmed_at !== null) !== isOn) return 'wrong'
    const secret = this.#secrets.decrypt('totp', row.secret_encrypted, holderKey(holder))
    const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_SECONDS })
    if (!result.valid || !('timeStep' in result)) return 'wrong'
    // Of an older step nobody knows whether its code served.
    if (BigInt(result.timeStep) <= BigInt(row.last_step))
      return BigInt(result.timeStep) === BigInt(row.last_step) ? 'used' : 'wrong'
    await tx.query(
      sql`update totp_secrets set last_step = ${result.timeStep}, confirmed_at = coalesce(confirmed_at, now())
           where ${column} = ${holder.id}`,
    )
    return 'taken'
  }

  /** The holder's code that counts and that this is, used or not. */
  async #findRecoveryCode(tx: Queryable, holder: Holder, code: string): Promise<string | undefined> {
    const rows = await tx.query<{ id: string; code_hash: Buffer }>(
      sql`select id, code_hash from recovery_codes where ${holderColumn(holder)} = ${holder.id} and ${COUNTS} order by id`,
    )
    return rows.find((row) => this.#isCode(holder, row.code_hash, code))?.id
  }

  #isCode(holder: Holder, stored: Buffer, code: string): boolean {
    // As marks were stored before they were sealed.
    const opened =
      stored.length === 32
        ? plainRecoveryCode(this.#secrets, stored)
        : this.#secrets.decrypt('recovery-code', stored, holderKey(holder))
    return isMarkOf(opened, codeText(holder, code))
  }
}

function codeText(holder: Holder, code: string): string {
  return `${holderKey(holder)}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`
}

function normalCode(code: string): string {
  return code.replace(/[\s-]/g, '')
}

function newRecoveryCode(): string {
  const letters = Array.from(
    { length: RECOVERY_LENGTH },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  ).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
