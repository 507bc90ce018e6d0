import {
  type Client,
  type Credentials,
  type Factors,
  type FailedAttempts,
  type GivenProof,
  type OwnAccessActions,
  ownAccessActions,
  type PasskeyAnswer,
  type Proof,
  type SessionKind,
  type SessionList,
  type SessionRow,
  Sessions,
} from '../credentials/credentials.ts'
import { buyerLifetimes } from '../credentials/session-lifetimes.ts'
import { type Database, fragment, type Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { BuyerActor } from '../unit-of-work/unit-of-work.ts'
import { confirmByLink, resendConfirmation } from './confirmations.ts'
import { lockUser, readUser } from './locked-user.ts'
import { deleteAccount, deleteDueAccounts, exportOwnData, keepAccount } from './own-data.ts'
import { type AccountParts, type BuyerRow, endAccess } from './parts.ts'
import {
  attemptOf,
  changePassword,
  proveWholly,
  requestReset,
  requireProving,
  resetPassword,
  setPassword,
} from './passwords.ts'
import { type Profile, type ProfileChanges, readProfile, updateProfile } from './profile.ts'
import { logIn, logInByPasskey, type Registration, register, type SignedIn } from './sign-in.ts'
import { takeBackLink } from './take-back.ts'

export type { BuyerRow, Client, Profile, ProfileChanges, Registration, SessionKind, SignedIn }

export const USER_TOKEN_PREFIX = 'us_'

export interface AccountsNeeds {
  readonly db: Database
  readonly credentials: Credentials
  readonly secrets: Secrets
  readonly limits: Limits
  readonly publicUrl: string
  /** Queues the mail in the transaction; it is sent only if that commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  /** Called in the transaction of each new account, with the referral code used. */
  readonly noteReferral?: AccountParts['noteReferral']
}

export class Accounts {
  readonly actions: OwnAccessActions
  readonly factors: Factors
  readonly failed: FailedAttempts
  readonly #parts: AccountParts

  constructor({ db, credentials, secrets, limits, publicUrl, sendMail, noteReferral }: AccountsNeeds) {
    const sessions = new Sessions<BuyerRow>({
      db,
      holder: 'user',
      tokenPrefix: USER_TOKEN_PREFIX,
      lifetimes: buyerLifetimes,
      actorColumns: fragment`u.id as user_id, u.reference, u.email, u.language,
        u.confirmed_at is not null as is_confirmed`,
      actorJoin: fragment`join users u on u.id = s.user_id and u.deleted_at is null`,
    })
    const { factors, proofs } = credentials
    this.factors = factors
    this.failed = credentials.failed
    this.#parts = { db, credentials, secrets, limits, publicUrl, sendMail, noteReferral, sessions }
    this.actions = ownAccessActions({
      kind: 'user',
      sessions,
      factors,
      proofs,
      countKeys: async () => 0,
      endOthers: (unit, userId, sessionId) => endAccess(this.#parts, unit, userId, sessionId),
      tellOfFactor: async (unit, holder, what) => {
        // Waits for a confirmation of the address that is under way.
        const user = await lockUser(this.#parts, unit, holder.id)
        // An unconfirmed address may belong to somebody else.
        if (!user?.confirmed_at) return
        const { email, language, name } = user
        const at = new Date().toISOString()
        const link = await takeBackLink(this.#parts, unit, user)
        await sendMail(unit, {
          kind: 'second_factor_changed',
          to: email,
          language,
          name,
          change: what,
          at,
          link,
        })
      },
    })
  }

  /**
   * Also logs in and mails a confirmation link; buying needs none. Throws `too_many_requests`,
   * `password_too_common`, `phone_required`, `registration_failed` (the address is taken).
   */
  register(input: Registration & { isDemo?: boolean }, client: Client, kind: SessionKind): Promise<SignedIn> {
    return register(this.#parts, input, client, kind)
  }

  /** Throws as `logInByPassword` does. */
  logIn(
    input: { email: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<SignedIn> {
    return logIn(this.#parts, input, client, kind)
  }

  /** Returns a passkey challenge for a login or a step-up. Throws `too_many_requests`. */
  async passkeyLoginOptions(client: Client): Promise<Record<string, unknown>> {
    const { db, credentials, limits } = this.#parts
    await limits.take('passkey_network', client.network)
    return credentials.passkeys.loginOptions(db, 'user')
  }

  /** By passkey alone. Throws `too_many_requests`, `passkey_refused`. */
  logInByPasskey(answer: PasskeyAnswer, client: Client, kind: SessionKind): Promise<SignedIn> {
    return logInByPasskey(this.#parts, answer, client, kind)
  }

  logOut(token: string): Promise<void> {
    return this.#parts.sessions.end(token)
  }

  /** Returns undefined if the session has ended. Calls within one turn of the event loop share one query. */
  authenticate(token: string): Promise<(BuyerRow & SessionRow) | undefined> {
    return this.#parts.sessions.authenticate(token)
  }

  /**
   * Prepares a proof for the action session.step-up. Throws `second_factor_required` for a password if a
   * second factor is on, `too_many_requests`, `password_wrong`, `password_unproved`.
   */
  async prove(userId: string, given: GivenProof, client: Client): Promise<Proof> {
    const user = await readUser(this.#parts, userId)
    if (given.password !== undefined) requireProving(user)
    return this.#parts.credentials.proofs.prepare(attemptOf(user, client), user.password_hash, given)
  }

  /**
   * Prepares a proof for the actions that add a second factor. Throws `step_up_required` with `proof`,
   * `too_many_requests`, `password_wrong`.
   */
  async proveWholly(userId: string, given: GivenProof | undefined, client: Client): Promise<Proof> {
    return proveWholly(this.#parts, await readUser(this.#parts, userId), given, client)
  }

  listSessions(userId: string, currentId: string | null): Promise<SessionList> {
    return this.#parts.sessions.list(userId, currentId)
  }

  /** Throws `session_ended` if the account was deleted. */
  readProfile(userId: string): Promise<Profile> {
    return readProfile(this.#parts, userId)
  }

  /**
   * A new address takes effect once its mailed link is used; the old address gets a mail. Throws, in this
   * order: `step_up_required` with `proof`, `too_many_requests`, `password_wrong`, `second_factor_wrong`,
   * `passkey_refused` (each for a new address), `email_taken`, `nickname_taken`.
   */
  updateProfile(
    actor: BuyerActor,
    changes: ProfileChanges,
    proof?: GivenProof,
    client?: Client,
  ): Promise<void> {
    return updateProfile(this.#parts, actor, changes, { proof, origin: client ?? { network: '' } })
  }

  /** Mails the confirmation again unless the address is confirmed. Throws `too_many_requests`. */
  resendConfirmation(userId: string): Promise<void> {
    return resendConfirmation(this.#parts, userId)
  }

  /**
   * Uses a mailed link in a session of its account: confirms the address or changes to it. Throws
   * `link_expired`, `not_signed_in`, `email_taken`.
   */
  useConfirmation(token: string, userId: string | null): Promise<void> {
    return confirmByLink(this.#parts, token, userId)
  }

  /**
   * Ends the other sessions. Throws as `proveWholly`, `password_too_common`, `second_factor_wrong`,
   * `passkey_refused`.
   */
  changePassword(
    actor: BuyerActor,
    input: { proof: GivenProof; newPassword: string },
    client: Client,
  ): Promise<void> {
    return changePassword(this.#parts, actor, input, client)
  }

  /**
   * Changes the password right after a login (legacy API). Throws `step_up_required` (also if a second factor
   * is on), `password_too_common`.
   */
  setPassword(actor: BuyerActor, newPassword: string): Promise<void> {
    return setPassword(this.#parts, actor, newPassword)
  }

  /** Does not reveal whether the account exists. Throws `too_many_requests`. */
  requestReset(email: string, client: Client): Promise<void> {
    return requestReset(this.#parts, email, client)
  }

  /**
   * Resets the password, ends every session and confirms the address. Removes second factors, delivery and
   * refund addresses of the last 8 days; if the address was never confirmed, all of them, because a stranger
   * may have registered it. Throws `password_too_common`, `link_expired`.
   */
  resetPassword(input: { token: string; password: string }, client: Client): Promise<void> {
    return resetPassword(this.#parts, input, client)
  }

  /** All stored data about a buyer. Throws `too_many_requests`. */
  exportOwnData(userId: string): Promise<string> {
    return exportOwnData(this.#parts, userId)
  }

  /**
   * Anonymises the account; orders and ledger entries stay under its public reference. If tokens, a
   * prize or rewards may still come, or a mailed link may take the account back, schedules the deletion in a
   * week and mails a link that cancels it. Returns the due time, null if already deleted. `proof` comes from
   * `proveWholly`. Throws `second_factor_wrong`, `passkey_refused`, then `account_has_pending` while an order
   * is open, money is owed, or tokens are undelivered without `givesUpTokens`.
   */
  deleteAccount(
    actor: BuyerActor,
    input: { proof: Proof; givesUpTokens?: boolean | undefined },
  ): Promise<{ dueAt: string | null }> {
    return deleteAccount(this.#parts, actor, input)
  }

  /** Cancels a scheduled deletion. */
  keepAccount(actor: BuyerActor): Promise<void> {
    return keepAccount(this.#parts, actor)
  }

  deleteDueAccounts(): Promise<void> {
    return deleteDueAccounts(this.#parts)
  }
}
