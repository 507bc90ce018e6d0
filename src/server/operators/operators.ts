import type { UserNote } from '../../shared/api/operators.ts'
import type { Role } from '../../shared/roles.ts'
import {
  type Client,
  createFactorActions,
  createLinks,
  createPasskeys,
  createSecondFactors,
  createSessions,
  type FactorActions,
  type PasskeyAnswer,
  type SessionKind,
  type SessionRow,
  type SessionSummary,
} from '../credentials/credentials.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Language, Mail, OwnerNotice } from '../notices/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { ensureFirstOwner, type FirstOwner, removeUsedLink } from './first-owner.ts'
import { audit, type By, type OperatorNeeds, type OperatorRow } from './needs.ts'
import {
  changeOperatorPassword,
  logInOperator,
  logInOperatorByPasskey,
  type OperatorCaller,
  type OperatorSignedIn,
  stepUpOperator,
} from './sign-in.ts'
import {
  changeOperator,
  inviteOperator,
  listOperators,
  type Operator,
  type OperatorChange,
  readOperator,
  renewInvitation,
  tellOwners,
  useInvitation,
} from './staff.ts'
import { addUserNote, listUserNotes } from './user-notes.ts'

export type { By, FirstOwner, Operator, OperatorCaller, OperatorRow, OperatorSignedIn }

export const OPERATOR_TOKEN_PREFIX = 'ops_'
const HOUR = 3600

/** Operator accounts, roles and sessions. Each method says its refusals at the function behind it. */
export interface Operators {
  /** `kind` token: lasts an hour (the original wire contract, scripts); browser: 12 hours, 2 of them idle. */
  logIn(
    input: { login: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<OperatorSignedIn>
  passkeyLoginOptions(client: Client): Promise<Record<string, unknown>>
  logInByPasskey(answer: PasskeyAnswer, client: Client): Promise<OperatorSignedIn>
  logOut(token: string): Promise<void>
  authenticate(token: string): Promise<(OperatorRow & SessionRow) | undefined>
  stepUp(
    caller: OperatorCaller,
    proof: { password: string } | { code: string } | { passkey: PasskeyAnswer },
  ): Promise<void>
  changePassword(
    caller: OperatorCaller,
    input: { login: string; oldPassword: string; newPassword: string },
  ): Promise<void>
  /** Ends every session and starts one: a password change over the original wire contract answers a new token. */
  replaceSessions(operatorId: string, client: Client, kind: SessionKind): Promise<OperatorSignedIn['session']>
  listSessions(operatorId: string, currentId: string | null): Promise<SessionSummary[]>
  /** Refuses `not_found`. */
  endSession(operatorId: string, sessionId: string): Promise<void>
  endOtherSessions(caller: OperatorCaller): Promise<number>
  /** Second factors; the caller checks for a fresh login first. */
  factors: FactorActions
  setLanguage(operatorId: string, language: Language): Promise<void>

  list(): Promise<Operator[]>
  read(id: string): Promise<Operator>
  invite(
    by: By,
    input: { login: string; role: Role; email?: string | undefined; language?: Language | undefined },
  ): Promise<{ id: string; link: string }>
  renewInvitation(by: By, id: string, options: { removesSecondFactor: boolean }): Promise<{ link: string }>
  useInvitation(
    input: { token: string; password: string },
    client: Client,
    requestId: string | null,
  ): Promise<{ login: string }>
  change(by: By, id: string, revision: number, change: OperatorChange): Promise<void>
  ensureFirstOwner(first: FirstOwner, dataDir: string): Promise<{ login: string; link: string } | null>
  /** What operators wrote about a buyer, newest first. */
  userNotes(userId: string): Promise<UserNote[]>
  /** Refuses `user_unknown`; `keep` runs last in the note's transaction. */
  addUserNote(
    by: By,
    userId: string,
    text: string,
    keep?: (tx: Queryable, note: UserNote) => Promise<void>,
  ): Promise<UserNote>
  /** Mails every owner about a wallet, a rate source or a role, if and only if the transaction commits. */
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string): Promise<void>
  sweep(): Promise<void>
}

export interface OperatorsOptions {
  database: Database
  secrets: Secrets
  limits: Limits
  publicUrl: string
  operatorPath: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

const writeLanguage = statement(
  'operators_write_language',
  'update operators set language = $2 where id = $1',
)

export function createOperators(options: OperatorsOptions): Operators {
  const { database, secrets } = options
  const needs: OperatorNeeds = {
    database,
    limits: options.limits,
    sendMail: options.sendMail,
    publicUrl: options.publicUrl,
    operatorPath: options.operatorPath,
    links: createLinks(),
    secondFactors: createSecondFactors(secrets),
    passkeys: createPasskeys({ publicUrl: options.publicUrl }),
    sessions: createSessions<OperatorRow>({
      database,
      holder: 'operator',
      tokenPrefix: OPERATOR_TOKEN_PREFIX,
      lifetimes: {
        browser: { wholeSeconds: 12 * HOUR, idleSeconds: 2 * HOUR },
        token: { wholeSeconds: HOUR, idleSeconds: HOUR },
      },
      actorColumns: 'o.id as operator_id, o.reference, o.login, o.role, o.language',
      actorJoin: 'join operators o on o.id = s.operator_id and o.disabled_at is null',
    }),
  }
  const { sessions } = needs
  const factors = createFactorActions({
    database,
    secondFactors: needs.secondFactors,
    passkeys: needs.passkeys,
    onChange: (tx, holder, change) =>
      audit(tx, { operatorId: holder.id, login: '', requestId: null }, 'operator.second-factor', holder.id, {
        after: { change },
      }),
  })
  /** Where the first owner's link may lie. */
  let linkFolder: string | undefined
  return {
    logIn: (input, client, kind) => logInOperator(needs, input, client, kind),
    async passkeyLoginOptions(client) {
      await needs.limits.take('passkey_network', client.network)
      return needs.passkeys.loginOptions(database, 'operator')
    },
    logInByPasskey: (answer, client) => logInOperatorByPasskey(needs, answer, client),
    logOut: (token) => sessions.end(token),
    authenticate: (token) => sessions.authenticate(token),
    stepUp: (caller, proof) => stepUpOperator(needs, caller, proof),
    changePassword: (caller, input) => changeOperatorPassword(needs, caller, input),
    replaceSessions: (operatorId, client, kind) =>
      database.transaction(async (tx) => {
        await sessions.endOthers(tx, operatorId, null)
        return sessions.start(tx, operatorId, client, kind)
      }),
    listSessions: (operatorId, currentId) => sessions.list(operatorId, currentId),
    async endSession(operatorId, sessionId) {
      if (!(await sessions.endById(database, operatorId, sessionId))) refuse('not_found')
    },
    endOtherSessions: (caller) => sessions.endOthers(database, caller.operatorId, caller.sessionId),
    factors,
    async setLanguage(operatorId, language) {
      await database.query(writeLanguage, [operatorId, language])
    },
    list: () => listOperators(database),
    read: (id) => readOperator(database, id),
    invite: (by, input) => inviteOperator(needs, by, input),
    renewInvitation: (by, id, how) => renewInvitation(needs, by, id, how),
    async useInvitation(input, client, requestId) {
      const used = await useInvitation(needs, input, client, requestId)
      if (linkFolder) await removeUsedLink(linkFolder, input.token)
      return used
    },
    change: (by, id, revision, change) => changeOperator(needs, by, id, revision, change),
    ensureFirstOwner(first, dataDir) {
      linkFolder = dataDir
      return ensureFirstOwner(needs, first, dataDir)
    },
    userNotes: (userId) => listUserNotes(database, userId),
    addUserNote: (by, userId, text, keep = async () => {}) => addUserNote(database, by, userId, text, keep),
    tellOwners: (tx, notice, by) => tellOwners(needs, tx, notice, by),
    async sweep() {
      await sessions.sweep()
    },
  }
}
