import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import { isMarkOf, markCode, plainRecoveryCode, type Secrets } from '../secrets/secrets.ts'
import { type Holder, holderColumn, holderKey } from './holder.ts'

export interface SecondFactorState {
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
  recoveryCodesCounting: number
}

export interface Labels {
  readonly issuer: string
  readonly label: string
}

/** Clocks differ: accepts the previous and next code too. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10
/** Without letters that look alike; 10 characters of 31 give 49 bits. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const RECOVERY_LENGTH = 10

// Rules: RIGHT-39
/** New codes count after a day: the owner can react to the mail if a stolen session made them. */
const COUNTS = fragment`created_at <= now() - interval '1 day'`

// Rules: RIGHT-39
/** Within an hour, because the proof was given when the app's secret was shown. */
const MAY_BE_SWITCHED_ON = fragment`created_at > now() - interval '1 hour'`

/** One app, or after a reset several (`removeSince`). */
const IS_ON = fragment`confirmed_at is not null and removed_at is null`

// Rules: RIGHT-38
/** An app begun this soon after another was switched off replaces it and takes over its age. */
const REPLACES_WITHIN = fragment`interval '15 minutes'`

/** `used`: a used recovery code, or an app code of the last accepted time step. */
type Outcome = 'taken' | 'used' | 'wrong'

interface SecretRow {
  id: string
  secret_encrypted: Buffer
  last_step: string
}

export interface SecondFactorsNeeds {
  readonly secrets: Secrets
}

/** Authenticator codes (RFC 6238) and single-use recovery codes. */
export class SecondFactors {
  readonly #secrets: Secrets

  constructor({ secrets }: SecondFactorsNeeds) {
    this.#secrets = secrets
  }

  async state(db: Queryable, holder: Holder): Promise<SecondFactorState> {
    const column = holderColumn(holder)
    const row = await db.one<{ has_totp: boolean; passkeys: number; left: number; counting: number }>(
      sql`select exists (select from totp_secrets where ${column} = ${holder.id} and ${IS_ON}) as has_totp,
                 (select count(*) from passkeys where ${column} = ${holder.id})::int as passkeys,
                 (select count(*) from recovery_codes where ${column} = ${holder.id} and used_at is null)::int as left,
                 (select count(*) from recovery_codes where ${column} = ${holder.id} and used_at is null and ${COUNTS})::int
                   as counting`,
    )
    const { has_totp: hasTotp, passkeys, left: recoveryCodesLeft, counting: recoveryCodesCounting } = row
    return { hasTotp, passkeys, recoveryCodesLeft, recoveryCodesCounting }
  }

  async methods(db: Queryable, holder: Holder): Promise<string[]> {
    const { hasTotp, passkeys, recoveryCodesCounting } = await this.state(db, holder)
    if (!hasTotp && passkeys === 0) return []
    return [
      ...(hasTotp ? ['totp'] : []),
      ...(passkeys > 0 ? ['passkey'] : []),
      ...(recoveryCodesCounting > 0 ? ['recovery_code'] : []),
    ]
  }

  /** Off until `confirmTotp`. Throws `conflict` if one is on. */
  async beginTotp(
    tx: Queryable,
    holder: Holder,
    { issuer, label }: Labels,
  ): Promise<{ secret: string; uri: string }> {
    const secret = generateSecret({ length: 20 })
    const sealed = this.#secrets.encrypt('totp', secret, holderKey(holder))
    const column = holderColumn(holder)
    const written = await tx.query(
      sql`insert into totp_secrets (${column}, secret_encrypted)
          select ${holder.id}::bigint, ${sealed}::bytea
           where not exists (select from totp_secrets where ${column} = ${holder.id} and ${IS_ON})
          on conflict (${column}) where confirmed_at is null
             do update set secret_encrypted = excluded.secret_encrypted, created_at = now()
          returning id`,
    )
    if (written.length === 0) refuse('conflict')
    return { secret, uri: generateURI({ issuer, label, secret }) }
  }

  /**
   * Switches on the begun app with its first code. It inherits the age of an app switched off at most 15
   * minutes before it was begun. Throws `second_factor_wrong`, also if it was begun over an hour ago or
   * another app is on.
   */
  async confirmTotp(tx: Queryable, holder: Holder, code: string): Promise<void> {
    const column = holderColumn(holder)
    const begun = await tx.maybeOne<SecretRow>(
      sql`select id, secret_encrypted, last_step from totp_secrets
           where ${column} = ${holder.id} and confirmed_at is null and ${MAY_BE_SWITCHED_ON}
             and not exists (select from totp_secrets where ${column} = ${holder.id} and ${IS_ON}) for update`,
    )
    if (!begun || !isAppCode(code)) return refuse('second_factor_wrong')
    if ((await this.#takeTotp(tx, holder, normalCode(code), [begun])) !== 'taken')
      refuse('second_factor_wrong')
    await tx.query(
      sql`with replaced as (
            update totp_secrets o set removed_at = now() from totp_secrets t
             where t.id = ${begun.id} and o.${column} = ${holder.id}
               and o.removed_at between t.created_at - ${REPLACES_WITHIN} and t.created_at
            returning coalesce(o.trusted_since, o.confirmed_at) as since)
          update totp_secrets set confirmed_at = now(), trusted_since = (select min(since) from replaced)
           where id = ${begun.id}`,
    )
  }

  /**
   * An app code or a recovery code, once, also among parallel calls. Throws `second_factor_wrong`, with
   * `isUsed` for a used recovery code or a code of the app's last accepted time step.
   */
  async check(tx: Queryable, holder: Holder, code: string): Promise<void> {
    const compact = normalCode(code)
    const outcome = isAppCode(code)
      ? await this.#takeTotp(tx, holder, compact, await this.#appsThatAreOn(tx, holder))
      : await this.#takeRecoveryCode(tx, holder, compact)
    if (outcome !== 'taken') refuse('second_factor_wrong', outcome === 'used' ? { isUsed: true } : undefined)
  }

  /**
   * The app not yet confirmed and the open passkey challenges: somebody with only the previous password may
   * have begun them.
   */
  async removeBegun(tx: Queryable, holder: Holder): Promise<void> {
    const column = holderColumn(holder)
    await tx.query(sql`delete from totp_secrets where ${column} = ${holder.id} and confirmed_at is null`)
    await tx.query(sql`delete from passkey_challenges where ${column} = ${holder.id}`)
  }

  /** Keeps the app for the resets of the next days. */
  async removeTotp(tx: Queryable, holder: Holder): Promise<void> {
    await tx.query(
      sql`update totp_secrets set removed_at = now() where ${holderColumn(holder)} = ${holder.id} and ${IS_ON}`,
    )
  }

  /** Stored as sealed marks only. The old codes stop working at once; the new ones work after a day. */
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
  /** If no app and no passkey is left: a code could otherwise stand in for a factor added later. */
  async removeIdleCodes(tx: Queryable, holder: Holder): Promise<void> {
    const { hasTotp, passkeys } = await this.state(tx, holder)
    if (hasTotp || passkeys > 0) return
    await tx.query(sql`delete from recovery_codes where ${holderColumn(holder)} = ${holder.id}`)
  }

  async removeAll(tx: Queryable, holder: Holder): Promise<void> {
    await this.removeSince(tx, holder, new Date(0))
  }

  // Rules: RIGHT-10, RIGHT-38
  /**
   * Removes apps, passkeys and recovery codes added since `since`, and unconfirmed ones. An
   * active app stays if it, or the app that it replaced, was switched on before: otherwise the mailbox alone
   * would open the account. An equally old app switched off since then is on again: a thief may have replaced
   * it. The first app whose code is accepted deletes the others. Returns true if an active app, a passkey or
   * an unused recovery code was removed.
   */
  async removeSince(tx: Queryable, holder: Holder, since: Date): Promise<boolean> {
    const column = holderColumn(holder)
    await this.removeBegun(tx, holder)
    const removed = await tx.query(
      sql`with apps as (select id, removed_at >= ${since} as is_replaced, coalesce(trusted_since, confirmed_at) < ${since} as is_old,
                               removed_at is null as is_on from totp_secrets where ${column} = ${holder.id}),
               stays as (select id, is_on from apps
                          where is_old and (is_on or is_replaced and exists (select from apps where is_old and is_on))),
               again as (update totp_secrets set removed_at = null where id in (select id from stays where not is_on)),
               gone as (delete from totp_secrets where ${column} = ${holder.id} and id not in (select id from stays)
                        returning removed_at),
               keys as (delete from passkeys where ${column} = ${holder.id} and created_at >= ${since} returning id),
               codes as (delete from recovery_codes where ${column} = ${holder.id} and created_at >= ${since}
                         returning id, used_at)
          select from gone where removed_at is null union all select from keys
          union all select from codes where used_at is null`,
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

  #appsThatAreOn(tx: Queryable, holder: Holder): Promise<SecretRow[]> {
    return tx.query<SecretRow>(
      sql`select id, secret_encrypted, last_step from totp_secrets
           where ${holderColumn(holder)} = ${holder.id} and ${IS_ON} order by id for update`,
    )
  }

  /** Accepts a code of one of `apps`, newer than that app's last accepted one. Then deletes the rest. */
  async #takeTotp(tx: Queryable, holder: Holder, code: string, apps: readonly SecretRow[]): Promise<Outcome> {
    for (const { id, secret_encrypted: sealed, last_step: lastStep } of apps) {
      const secret = this.#secrets.decrypt('totp', sealed, holderKey(holder))
      const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_SECONDS })
      if (!result.valid || !('timeStep' in result)) continue
      // Whether an older step's code was used is unknown.
      if (BigInt(result.timeStep) <= BigInt(lastStep))
        return BigInt(result.timeStep) === BigInt(lastStep) ? 'used' : 'wrong'
      await tx.query(sql`update totp_secrets set last_step = ${result.timeStep} where id = ${id}`)
      const others = apps.filter((app) => app.id !== id).map((app) => app.id)
      if (others.length > 0) await tx.query(sql`delete from totp_secrets where id = any(${others}::bigint[])`)
      return 'taken'
    }
    return 'wrong'
  }

  async #findRecoveryCode(tx: Queryable, holder: Holder, code: string): Promise<string | undefined> {
    const rows = await tx.query<{ id: string; code_hash: Buffer }>(
      sql`select id, code_hash from recovery_codes where ${holderColumn(holder)} = ${holder.id} and ${COUNTS} order by id`,
    )
    return rows.find((row) => this.#isCode(holder, row.code_hash, code))?.id
  }

  #isCode(holder: Holder, stored: Buffer, code: string): boolean {
    // Older versions did not seal marks.
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

/** An app's code; any other is a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(normalCode(code))
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
