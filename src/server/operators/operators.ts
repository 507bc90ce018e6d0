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
} from '../credentials/credentials.ts'
import { demoOperatorLifetimes, operatorLifetimes } from '../credentials/session-lifetimes.ts'
import { type Database, fragment, type Queryable } from '../database/database.ts'
import type { PageOf } from '../keyset.ts'
import type { Limits } from '../limits/limits.ts'
import type { Language, Mail, OwnerNotice } from '../mail/mail-kinds.ts'
import type { OperatorActor, UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { ensureFirstOwner, type FirstOwner, removeUsedLink } from './first-owner.ts'
import { acceptInvitation } from './invitations.ts'
import { listOperators, type Operator, readOperator } from './operator-rows.ts'
import { passwordActions, preparePassword } from './own-account-actions.ts'
import { endAccess, type OperatorParts, type OperatorRow, operatorSubject } from './parts.ts'
import {
  accountKey,
  logInOperator,
  logInOperatorByPasskey,
  type OperatorSignedIn,
  readCredentials,
} from './sign-in.ts'
import { staffActions } from './staff-actions.ts'
import { tellOperator, tellOwners } from './telling.ts'
import { listUserNotes, type NotesQuery, userNoteActions } from './user-notes.ts'

export type { FirstOwner, Operator, OperatorRow, OperatorSignedIn }

export const OPERATOR_TOKEN_PREFIX = 'ops_'

// Rules: RIGHT-4
/** Of a session: whatever its operator has, what counts is what was given in it. */
const lacksSecondFactor = fragment`not s.has_second_factor`

export interface OperatorsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly credentials: Credentials
  readonly limits: Limits
  readonly publicUrl: string
  readonly operatorPath: string
  /** In a demo nobody needs a second factor, and a session may idle for longer. */
  readonly isDemo: boolean
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  /** Revokes the API keys that act for an operator. */
  revokeKeysOf(unit: UnitOfWork, operatorId: string): Promise<void>
}

/** Operator accounts, roles and sessions. */
export class Operators {
  /** What operators change of their own access, of each other, and of what they know about buyers. */
  readonly actions: ReturnType<typeof operatorActions>
  readonly factors: Factors
  readonly failed: FailedAttempts
  readonly #parts: OperatorParts
  /** Where the first owner's link may lie. */
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
   * `kind` token lasts an hour (the legacy API, scripts), browser 12 hours, half an hour of them idle (2 in a demo). Refuses as `logInByPassword`
   * does.
   */
  logIn(
    input: { login: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<OperatorSignedIn> {
    return logInOperator(this.#parts, input, client, kind)
  }

  /** A challenge for a login or a step-up by passkey. Refuses `too_many_requests`. */
  async passkeyLoginOptions(client: Client): Promise<Record<string, unknown>> {
    const { db, credentials, limits } = this.#parts
    await limits.take('passkey_network', client.network)
    return credentials.passkeys.loginOptions(db, 'operator')
  }

  /** Refuses `too_many_requests`, `passkey_refused`. No lockout applies, because there is nothing to guess. */
  logInByPasskey(answer: PasskeyAnswer, client: Client): Promise<OperatorSignedIn> {
    return logInOperatorByPasskey(this.#parts, answer, client)
  }

  logOut(token: string): Promise<void> {
    return this.#parts.sessions.end(token)
  }

  /** Undefined where the session has ended or the operator is disabled. */
  authenticate(token: string): Promise<(OperatorRow & SessionRow) | undefined> {
    return this.#parts.sessions.authenticate(token)
  }

  /**
   * Prepares a proof for the action session.step-up. Refuses `second_factor_required` for a password where a second factor is on,
   * `too_many_requests`, `password_wrong`.
   */
  async prove(operatorId: string, given: GivenProof, { network, browser }: Client): Promise<Proof> {
    const { account, passwordHash } = await this.#accountOf(operatorId)
    return this.#parts.credentials.proofs.prepare({ ...account, network, browser }, passwordHash, given)
  }

  /**
   * Prepares a proof for the actions that add a second factor. Refuses `step_up_required` with `proof`, `too_many_requests`,
   * `password_wrong`.
   */
  async proveWholly(
    operatorId: string,
    given: GivenProof | undefined,
    { network, browser }: Client,
  ): Promise<Proof> {
    const { account, passwordHash } = await this.#accountOf(operatorId)
    return this.#parts.credentials.proofs.prepareWhole({ ...account, network, browser }, passwordHash, given)
  }

  async #accountOf(id: string) {
    const { login, password_hash: passwordHash } = await readCredentials(this.#parts.db, id)
    const holder = { kind: 'operator', id } as const
    return { account: { holder, account: accountKey(login) }, passwordHash }
  }

  /**
   * Checks the old password and hashes the new one, which both take long, for the action operator.password. `login` must be the operator's own.
   * Refuses `step_up_required` where a second factor is on, `too_many_requests`, `password_wrong`, `password_too_common`.
   */
  preparePassword(
    actor: Pick<OperatorActor, 'operatorId' | 'authenticatedAt'>,
    input: { login: string; oldPassword: string; newPassword: string },
  ): Promise<{ passwordHash: string }> {
    return preparePassword(this.#parts, actor, input)
  }

  listSessions(operatorId: string, currentId: string | null): Promise<SessionList> {
    return this.#parts.sessions.list(operatorId, currentId)
  }

  list(): Promise<Operator[]> {
    return listOperators(this.#parts.db)
  }

  // Rules: TWO-11
  /** Every two operators of whom neither may confirm for the other; while dual control is off, as switching it on now would make it. */
  async related(): Promise<{ logins: [string, string]; until: string }[]> {
    return relatedPairs(await readStaff(this.#parts.db))
  }

  /** Refuses `not_found`. */
  read(id: string): Promise<Operator> {
    return readOperator(this.#parts.db, id)
  }

  /**
   * Sets the password by the one-time link and ends whatever was open; keeps the address where none is known. Refuses `too_many_requests`, `password_too_common`,
   * `link_expired`.
   */
  async useInvitation(
    input: { token: string; password: string; email?: string | undefined; language?: Language | undefined },
    client: Client,
    requestId: string,
  ): Promise<{ login: string }> {
    const used = await acceptInvitation(this.#parts, input, client, requestId)
    if (this.#linkFolder) await removeUsedLink(this.#linkFolder, input.token)
    return used
  }

  /**
   * On a database without an operator makes the first owner: with the given password, or with a one-time link (24 h) that
   * is returned to be printed and kept in `DATA_DIR/owner-link.txt`, readable by this user only. While no owner has used a
   * link, an expired one is replaced. Returns null where nothing is to be printed; the file goes once a password is set.
   */
  ensureFirstOwner(first: FirstOwner, dataDir: string): Promise<{ login: string; link: string } | null> {
    this.#linkFolder = dataDir
    return ensureFirstOwner(this.#parts, first, dataDir)
  }

  /** What operators wrote about a buyer, or about one order of theirs, newest first. */
  userNotes(userId: string, query: NotesQuery): Promise<PageOf<UserNote>> {
    return listUserNotes(this.#parts.db, userId, query)
  }

  /** Mails every owner who gave an address, and the operator whom it concerns, if and only if the transaction commits. */
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void> {
    return tellOwners(this.#parts, tx, notice, by, operatorId)
  }
}

const operatorActions = (parts: OperatorParts) => ({
  ...ownAccessActions({
    kind: 'operator',
    sessions: parts.sessions,
    factors: parts.credentials.factors,
    proofs: parts.credentials.proofs,
    endOthers: (unit, operatorId, sessionId) => endAccess(parts, unit, operatorId, sessionId),
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
