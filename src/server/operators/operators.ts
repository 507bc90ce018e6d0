import type { UserNote } from '../../shared/api/operators.ts'
import { readStaff, relatedPairs } from '../actions/actions.ts'
import {
  type Client,
  type Credentials,
  type Factors,
  type FailedAttempts,
  type GivenProof,
  ownAccessActions,
  type PasskeyAnswer,
  type Proof,
  type SessionKind,
  type SessionList,
  type SessionRow,
  Sessions,
  takeProof,
} from '../credentials/credentials.ts'
import { demoOperatorLifetimes, operatorLifetimes } from '../credentials/session-lifetimes.ts'
import { type Database, fragment, type Queryable } from '../database/database.ts'
import type { PageOf } from '../keyset.ts'
import type { Limits } from '../limits/limits.ts'
import type { SmtpServer } from '../mail/delivery.ts'
import type { Language, Mail, OwnerNotice } from '../mail/mail-kinds.ts'
import type { UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { ensureFirstOwner, type FirstOwner, removeUsedLink } from './first-owner.ts'
import { acceptInvitation } from './invitations.ts'
import { listOperators, type Operator, readOperator } from './operator-rows.ts'
import { asOperator, passwordActions, preparePassword } from './own-account-actions.ts'
import { endAccess, type OperatorParts, type OperatorRow, operatorSubject } from './parts.ts'
import {
  attemptOf,
  logInOperator,
  logInOperatorByPasskey,
  type OperatorSignedIn,
  proveWholly,
  readCredentials,
} from './sign-in.ts'
import { staffActions } from './staff-actions.ts'
import { tellOperator, tellOwners } from './telling.ts'
import { listUserNotes, type NotesQuery, userNoteActions } from './user-notes.ts'

export type { FirstOwner, Operator, OperatorRow, OperatorSignedIn }

export const OPERATOR_TOKEN_PREFIX = 'ops_'

// Rules: RIGHT-4
/** Only a factor given in this session counts. */
const lacksSecondFactor = fragment`not s.has_second_factor`

export interface OperatorsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly credentials: Credentials
  readonly limits: Limits
  readonly publicUrl: string
  readonly operatorPath: string
  /** A demo needs no second factor and has longer idle times. */
  readonly isDemo: boolean
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  revokeKeysOf(unit: UnitOfWork, operatorId: string): Promise<void>
  countKeysOf(tx: Queryable, operatorId: string): Promise<number>
}

export class Operators {
  readonly actions: ReturnType<typeof operatorActions>
  readonly factors: Factors
  readonly failed: FailedAttempts
  readonly #parts: OperatorParts
  #linkFolder: string | undefined

  constructor(needs: OperatorsNeeds) {
    const { db, credentials, isDemo } = needs
    const sessions = new Sessions<OperatorRow>({
      db,
      holder: 'operator',
      tokenPrefix: OPERATOR_TOKEN_PREFIX,
      lifetimes: isDemo ? demoOperatorLifetimes : operatorLifetimes,
      actorColumns: fragment`o.id as operator_id, o.reference, o.login, o.role, o.language,
        ${isDemo ? fragment`false` : lacksSecondFactor} as lacks_second_factor`,
      actorJoin: fragment`join operators o on o.id = s.operator_id and o.disabled_at is null`,
    })
    this.factors = credentials.factors
    this.failed = credentials.failed
    this.#parts = { ...needs, sessions }
    this.actions = operatorActions(this.#parts)
  }

  /**
   * `kind` token lasts an hour (legacy API, scripts), browser 12 hours with at most 30 minutes idle (2 hours
   * in a demo). Throws as `logInByPassword` does.
   */
  logIn(
    input: { login: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<OperatorSignedIn> {
    return logInOperator(this.#parts, input, client, kind)
  }

  /** Returns a passkey challenge for a login or a step-up. Throws `too_many_requests`. */
  async passkeyLoginOptions(client: Client): Promise<Record<string, unknown>> {
    const { db, credentials, limits } = this.#parts
    await limits.take('passkey_network', client.network)
    return credentials.passkeys.loginOptions(db, 'operator')
  }

  /** Throws `too_many_requests`, `passkey_refused`. No lockout, because a passkey cannot be guessed. */
  logInByPasskey(answer: PasskeyAnswer, client: Client): Promise<OperatorSignedIn> {
    return logInOperatorByPasskey(this.#parts, answer, client)
  }

  logOut(token: string): Promise<void> {
    return this.#parts.sessions.end(token)
  }

  /** Returns undefined if the session has ended or the operator is disabled. */
  authenticate(token: string): Promise<(OperatorRow & SessionRow) | undefined> {
    return this.#parts.sessions.authenticate(token)
  }

  /**
   * Prepares a proof for the action session.step-up. Throws `second_factor_required` for a password if a
   * second factor is on, `too_many_requests`, `password_wrong`.
   */
  async prove(operatorId: string, given: GivenProof, client: Client): Promise<Proof> {
    const { attempt, passwordHash } = attemptOf(await readCredentials(this.#parts.db, operatorId), client)
    return this.#parts.credentials.proofs.prepare(attempt, passwordHash, given)
  }

  /**
   * Prepares a proof for the actions that add a second factor. Throws `step_up_required` with `proof`,
   * `too_many_requests`, `password_wrong`.
   */
  async proveWholly(operatorId: string, given: GivenProof | undefined, client: Client): Promise<Proof> {
    return proveWholly(this.#parts, await readCredentials(this.#parts.db, operatorId), given, client)
  }

  /** As `proveWholly`. Returns the step that takes the proof, which throws as `takeProof`. */
  async proveLater(
    operatorId: string,
    given: GivenProof | undefined,
    client: Client,
  ): Promise<(unit: UnitOfWork) => Promise<void>> {
    const proof = await this.proveWholly(operatorId, given, client)
    const { sessions, credentials } = this.#parts
    return (unit) => takeProof({ sessions, proofs: credentials.proofs }, unit, asOperator(unit), proof)
  }

  /**
   * Prepares the whole proof and hashes the new password, both slow, before the action operator.password.
   * `login` must be the operator's own. Throws as `proveWholly`, `password_too_common`.
   */
  preparePassword(
    operatorId: string,
    input: { login: string; proof: GivenProof; newPassword: string },
    client: Client,
  ): Promise<{ passwordHash: string; proof: Proof }> {
    return preparePassword(this.#parts, operatorId, input, client)
  }

  listSessions(operatorId: string, currentId: string | null): Promise<SessionList> {
    return this.#parts.sessions.list(operatorId, currentId)
  }

  list(): Promise<Operator[]> {
    return listOperators(this.#parts.db)
  }

  // Rules: TWO-11
  /**
   * Pairs of operators who may not confirm for each other. While dual control is off: as if it were switched
   * on now.
   */
  async related(): Promise<{ logins: [string, string]; until: string }[]> {
    return relatedPairs(await readStaff(this.#parts.db))
  }

  /** Throws `not_found`. */
  read(id: string): Promise<Operator> {
    return readOperator(this.#parts.db, id)
  }

  /**
   * Sets the password by one-time link and ends all sessions; stores the address if none is known. Throws
   * `password_too_common`, `link_expired`.
   */
  async useInvitation(
    input: { token: string; password: string; email?: string | undefined; language?: Language | undefined },
    requestId: string,
  ): Promise<{ login: string }> {
    const used = await acceptInvitation(this.#parts, input, requestId)
    if (this.#linkFolder) await removeUsedLink(this.#linkFolder, input.token)
    return used
  }

  /**
   * Creates the first owner if there is no active one: with the given password, or a one-time link (24 h),
   * returned for printing and stored in `DATA_DIR/owner-link.txt`, readable by this user only. Replaces an
   * expired link while no owner has a password. Returns null if nothing is to be printed. The file is deleted
   * once its link is used.
   */
  ensureFirstOwner(first: FirstOwner, dataDir: string): Promise<{ login: string; link: string } | null> {
    this.#linkFolder = dataDir
    return ensureFirstOwner(this.#parts, first, dataDir)
  }

  userNotes(userId: string, query: NotesQuery): Promise<PageOf<UserNote>> {
    return listUserNotes(this.#parts.db, userId, query)
  }

  /** Mails every owner with an address, and the operator concerned, if the transaction commits. */
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void> {
    return tellOwners(this.#parts, tx, notice, by, operatorId)
  }

  // Rules: TEXT-22
  /** Mails every owner with an address through that mail server; null: the one in force. */
  tellOwnersThrough(through: SmtpServer | null, tx: Queryable, notice: OwnerNotice, by: string) {
    const sendMail = (unit: Queryable, mail: Mail) =>
      this.#parts.sendMail(unit, through ? { ...mail, through } : mail)
    return tellOwners({ sendMail }, tx, notice, by)
  }
}

const operatorActions = (parts: OperatorParts) => ({
  ...ownAccessActions({
    kind: 'operator',
    sessions: parts.sessions,
    factors: parts.credentials.factors,
    proofs: parts.credentials.proofs,
    endOthers: (unit, operatorId, sessionId) => endAccess(parts, unit, operatorId, sessionId),
    countKeys: (unit, operatorId) => parts.countKeysOf(unit, operatorId),
    tellOfFactor: async (unit, holder, what) => {
      await unit.audit('operator.second-factor', operatorSubject(holder.id), { after: { change: what } })
      const at = new Date().toISOString()
      await tellOperator(parts, unit, holder.id, (name) => ({
        kind: 'operator_second_factor_changed',
        name,
        change: what,
        at,
      }))
    },
  }),
  ...passwordActions(parts),
  ...staffActions(parts),
  ...userNoteActions,
})
