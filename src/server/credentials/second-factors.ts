import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Queryable } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Holder, holderKey, holderStatement } from './holder.ts'

export interface SecondFactorState {
  /** A confirmed authenticator app. */
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

/** Codes from an authenticator app (RFC 6238) and recovery codes (each once) for both kinds of people. */
export interface SecondFactors {
  state(db: Queryable, holder: Holder): Promise<SecondFactorState>
  /** Makes a secret that guards nothing until `confirmTotp`. Refuses `conflict` where one is on already. */
  beginTotp(
    tx: Queryable,
    holder: Holder,
    labels: { issuer: string; label: string },
  ): Promise<{ secret: string; uri: string }>
  /** Switches it on with its first code. Refuses `second_factor_wrong`. */
  confirmTotp(tx: Queryable, holder: Holder, code: string): Promise<void>
  /**
   * Takes a code of the app or a recovery code, each of which serves once; of parallel uses one wins. Refuses
   * `second_factor_wrong`.
   */
  check(tx: Queryable, holder: Holder, code: string): Promise<void>
  removeTotp(tx: Queryable, holder: Holder): Promise<void>
  /** Ten new ones; the old ones end. Shown once, stored as keyed hashes. */
  newRecoveryCodes(tx: Queryable, holder: Holder): Promise<string[]>
  /** All of it, recovery codes and passkeys included: when an account is taken over or deleted. */
  removeAll(tx: Queryable, holder: Holder): Promise<void>
}

/** A code of the step before or after is taken too: clocks differ. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10
/** Without letters that look alike; 10 letters of 31 are 49 bits. */
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const RECOVERY_LENGTH = 10

const readState = holderStatement(
  'second_factors_state',
  `select exists (select from totp_secrets where :holder = $1 and confirmed_at is not null) as has_totp,
     (select count(*) from passkeys where :holder = $1)::int as passkeys,
     (select count(*) from recovery_codes where :holder = $1 and used_at is null)::int as recovery_codes`,
)
const upsertSecret = holderStatement(
  'totp_begin',
  `insert into totp_secrets as t (:holder, secret_encrypted) values ($1, $2)
   on conflict (:holder) do update set secret_encrypted = excluded.secret_encrypted, created_at = now()
   where t.confirmed_at is null
   returning id`,
)
const lockSecret = holderStatement(
  'totp_lock',
  `select secret_encrypted, last_step, confirmed_at from totp_secrets where :holder = $1 for update`,
)
const acceptStep = holderStatement(
  'totp_accept',
  `update totp_secrets set last_step = $2, confirmed_at = coalesce(confirmed_at, now()) where :holder = $1`,
)
const deleteSecret = holderStatement('totp_remove', 'delete from totp_secrets where :holder = $1')
const useRecovery = holderStatement(
  'recovery_use',
  `update recovery_codes set used_at = now() where code_hash = $2 and :holder = $1 and used_at is null
   returning 1 as used`,
)
const deleteRecovery = holderStatement('recovery_remove', 'delete from recovery_codes where :holder = $1')
const insertRecovery = holderStatement(
  'recovery_add',
  'insert into recovery_codes (:holder, code_hash) select $1, unnest($2::bytea[])',
)
const deletePasskeys = holderStatement('passkeys_remove_all', 'delete from passkeys where :holder = $1')

interface SecretRow {
  secret_encrypted: Buffer
  last_step: string
  confirmed_at: Date | null
}

export function createSecondFactors(secrets: Secrets): SecondFactors {
  const hashOf = (holder: Holder, code: string) =>
    secrets.mac('recovery codes', `${holderKey(holder)}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)

  /** The step of a code that is right and newer than the last one taken; undefined otherwise. */
  const stepOf = async (holder: Holder, row: SecretRow, code: string): Promise<number | undefined> => {
    const secret = secrets.decrypt('totp', row.secret_encrypted, holderKey(holder))
    const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_SECONDS })
    if (!result.valid || !('timeStep' in result)) return undefined
    return BigInt(result.timeStep) > BigInt(row.last_step) ? result.timeStep : undefined
  }

  const takeTotp = async (tx: Queryable, holder: Holder, code: string, isOn: boolean): Promise<boolean> => {
    const row = await tx.maybeOne<SecretRow>(lockSecret[holder.kind], [holder.id])
    if (!row || (row.confirmed_at !== null) !== isOn) return false
    const step = await stepOf(holder, row, code)
    if (step === undefined) return false
    await tx.query(acceptStep[holder.kind], [holder.id, step])
    return true
  }

  const normalCode = (code: string) => code.replace(/[\s-]/g, '')

  return {
    async state(db, holder) {
      const row = await db.one<{ has_totp: boolean; passkeys: number; recovery_codes: number }>(
        readState[holder.kind],
        [holder.id],
      )
      return { hasTotp: row.has_totp, passkeys: row.passkeys, recoveryCodesLeft: row.recovery_codes }
    },
    async beginTotp(tx, holder, { issuer, label }) {
      const secret = generateSecret({ length: 20 })
      const sealed = secrets.encrypt('totp', secret, holderKey(holder))
      const written = await tx.query(upsertSecret[holder.kind], [holder.id, sealed])
      if (written.length === 0) refuse('conflict')
      return { secret, uri: generateURI({ issuer, label, secret }) }
    },
    async confirmTotp(tx, holder, code) {
      const digits = normalCode(code)
      if (!/^\d{6}$/.test(digits) || !(await takeTotp(tx, holder, digits, false)))
        refuse('second_factor_wrong')
    },
    async check(tx, holder, code) {
      const compact = normalCode(code)
      const isTotp = /^\d{6}$/.test(compact)
      if (isTotp && (await takeTotp(tx, holder, compact, true))) return
      if (!isTotp) {
        const used = await tx.query(useRecovery[holder.kind], [holder.id, hashOf(holder, compact)])
        if (used.length > 0) return
      }
      refuse('second_factor_wrong')
    },
    async removeTotp(tx, holder) {
      await tx.query(deleteSecret[holder.kind], [holder.id])
    },
    async newRecoveryCodes(tx, holder) {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      assert(new Set(codes).size === RECOVERY_CODES, 'recovery codes differ')
      await tx.query(deleteRecovery[holder.kind], [holder.id])
      await tx.query(insertRecovery[holder.kind], [holder.id, codes.map((code) => hashOf(holder, code))])
      return codes
    },
    async removeAll(tx, holder) {
      await tx.query(deleteSecret[holder.kind], [holder.id])
      await tx.query(deleteRecovery[holder.kind], [holder.id])
      await tx.query(deletePasskeys[holder.kind], [holder.id])
    },
  }
}

function newRecoveryCode(): string {
  const letters = Array.from(
    { length: RECOVERY_LENGTH },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  ).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
