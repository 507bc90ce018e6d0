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
import { findUser, readUser } from './locked-user.ts'
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
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  /** Told of each new account in its transaction, with the code of the link by which it came. */
  readonly noteReferral?: AccountParts['noteReferral']
}

/** Buyers' accounts. */
export class Accounts {
  /** What buyers change of their sessions and second factors. */
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
      endOthers: (unit, userId, sessionId) => endAccess(this.#parts, unit, userId, sessionId),
      tellOfFactor: async (unit, holder, what) => {
        const user = await findUser(this.#parts, unit, holder.id)
        // Where the address was never proved, whoever reads its mail may be somebody else.
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
   * Makes an account, logs it in and mails a link that confirms the address; buying does not wait for the confirmation. Refuses
   * `too_many_requests`, `password_too_common`, `phone_required`, `registration_failed` (the address is taken).
   */
  register(input: Registration & { isDemo?: boolean }, client: Client, kind: SessionKind): Promise<SignedIn> {
    return register(this.#parts, input, client, kind)
  }

  /** Refuses as `logInByPassword` does. */
  logIn(
    input: { email: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<SignedIn> {
    return logIn(this.#parts, input, client, kind)
  }

  /** A challenge for a login or a step-up by passkey. Refuses `too_many_requests`. */
  async passkeyLoginOptions(client: Client): Promise<Record<string, unknown>> {
    const { db, credentials, limits } = this.#parts
    await limits.take('passkey_network', client.network)
    return credentials.passkeys.loginOptions(db, 'user')
  }

  /** A passkey proves possession and the person: it needs neither password nor code. Refuses `too_many_requests`, `passkey_refused`. */
  logInByPasskey(answer: PasskeyAnswer, client: Client, kind: SessionKind): Promise<SignedIn> {
    return logInByPasskey(this.#parts, answer, client, kind)
  }

  logOut(token: string): Promise<void> {
    return this.#parts.sessions.end(token)
  }

  /** Undefined where the session has ended. One indexed query, shared by all calls of one turn of the event loop. */
  authenticate(token: string): Promise<(BuyerRow & SessionRow) | undefined> {
    return this.#parts.sessions.authenticate(token)
  }

  /**
   * Prepares a proof for the action session.step-up. Refuses `second_factor_required` for a password where a second factor is on,
   * `too_many_requests`, `password_wrong`, `password_unproved`.
   */
  async prove(userId: string, given: GivenProof, client: Client): Promise<Proof> {
    const user = await readUser(this.#parts, userId)
    if (given.password !== undefined) requireProving(user)
    return this.#parts.credentials.proofs.prepare(attemptOf(user, client), user.password_hash, given)
  }

  /**
   * Prepares a proof for the actions that add a second factor. Refuses `step_up_required` with `proof`, `too_many_requests`,
   * `password_wrong`.
   */
  async proveWholly(userId: string, given: GivenProof | undefined, client: Client): Promise<Proof> {
    return proveWholly(this.#parts, await readUser(this.#parts, userId), given, client)
  }

  listSessions(userId: string, currentId: string | null): Promise<SessionList> {
    return this.#parts.sessions.list(userId, currentId)
  }

  /** Refuses `session_ended` where the account was deleted. */
  readProfile(userId: string): Promise<Profile> {
    return readProfile(this.#parts, userId)
  }

  /**
   * Changes what is given. A new address takes effect once the link mailed to it is used; the old address is told. Refuses, in this
   * order, `step_up_required` with `proof`, `too_many_requests`, `password_wrong`, `second_factor_wrong`, `passkey_refused` (each for a new
   * address), `email_taken`, `nickname_taken`.
   */
  updateProfile(
    actor: BuyerActor,
    changes: ProfileChanges,
    proof?: GivenProof,
    client?: Client,
  ): Promise<void> {
    return updateProfile(this.#parts, actor, changes, { proof, origin: client ?? { network: '' } })
  }

  /** Mails the confirmation again; nothing where the address is proved already. Refuses `too_many_requests`. */
  resendConfirmation(userId: string): Promise<void> {
    return resendConfirmation(this.#parts, userId)
  }

  /**
   * Uses a mailed link in a session of its account: proves the address, or moves the account to it. Refuses `too_many_requests`,
   * `link_expired`, `not_signed_in`, `email_taken`.
   */
  useConfirmation(token: string, userId: string | null, client: Client): Promise<void> {
    return confirmByLink(this.#parts, token, userId, client)
  }

  /**
   * Changes the password and ends the other sessions. Refuses `step_up_required` where a second factor is on, `too_many_requests`,
   * `password_wrong`, `password_too_common`.
   */
  changePassword(actor: BuyerActor, input: { currentPassword: string; newPassword: string }): Promise<void> {
    return changePassword(this.#parts, actor, input)
  }

  /**
   * Changes the password where a fresh login is the proof (the legacy API). Refuses `step_up_required`,
   * `password_too_common`.
   */
  setPassword(actor: BuyerActor, newPassword: string): Promise<void> {
    return setPassword(this.#parts, actor, newPassword)
  }

  /** Mails a link for a new password; answers the same whether there is such an account or not. Refuses `too_many_requests`. */
  requestReset(email: string, client: Client): Promise<void> {
    return requestReset(this.#parts, email, client)
  }

  /**
   * Takes the account over for whoever reads its mail: new password, every session ended, address proved. Second factors and delivery
   * addresses of the last 7 days go; where the address had never been proved, all of them, because a stranger may have registered it.
   * Refuses `too_many_requests`, `password_too_common`, `link_expired`.
   */
  resetPassword(input: { token: string; password: string }, client: Client): Promise<void> {
    return resetPassword(this.#parts, input, client)
  }

  /** Everything that the database holds about a buyer, as JSON text. Refuses `too_many_requests`. */
  exportOwnData(userId: string): Promise<string> {
    return exportOwnData(this.#parts, userId)
  }

  /**
   * Makes the account anonymous: orders and ledger entries stay under its public reference. With tokens to be delivered, or while it may be
   * moved back to another address, it does so after a week, which is mailed with a link that takes the account back. Returns when; null: it
   * is done. `proof` is a whole one, of `proveWholly`. Refuses `second_factor_wrong`, `passkey_refused`, then `account_has_pending` while an order is open or money is owed, or while tokens are to be
   * delivered and `givesUpTokens` is not said.
   */
  deleteAccount(
    actor: BuyerActor,
    input: { proof: Proof; givesUpTokens?: boolean | undefined },
  ): Promise<{ dueAt: string | null }> {
    return deleteAccount(this.#parts, actor, input)
  }

  /** Stops a deletion whose week is not over. */
  keepAccount(actor: BuyerActor): Promise<void> {
    return keepAccount(this.#parts, actor)
  }

  deleteDueAccounts(): Promise<void> {
    return deleteDueAccounts(this.#parts)
  }
}
