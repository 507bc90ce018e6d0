import {
  type Client,
  createFactorActions,
  createLinks,
  createPasskeys,
  createSecondFactors,
  createSessions,
  type FactorActions,
  type FactorChange,
  type Holder,
  type PasskeyAnswer,
  type SessionKind,
  type SessionRow,
  type SessionSummary,
} from '../credentials/credentials.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../notices/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { AccountNeeds, BuyerRow, Language } from './needs.ts'
import { deleteAccount, exportOwnData } from './own-data.ts'
import {
  type Caller,
  changePassword,
  type Profile,
  type ProfileChanges,
  readProfile,
  requestReset,
  requireRecent,
  resendConfirmation,
  resetPassword,
  type StepUpProof,
  setPassword,
  stepUp,
  updateProfile,
  useConfirmation,
} from './profile.ts'
import { logIn, logInByPasskey, type Registration, register, type SignedIn } from './sign-in.ts'

export type { BuyerRow, Caller, Client, Profile, ProfileChanges, Registration, SessionKind, SignedIn }

export const USER_TOKEN_PREFIX = 'us_'
const DAY = 24 * 3600

/** Buyers' accounts. Each method says its refusals at the function behind it. */
export interface Accounts {
  register(input: Registration & { isDemo?: boolean }, client: Client, kind: SessionKind): Promise<SignedIn>
  logIn(
    input: { email: string; password: string; code?: string | undefined },
    client: Client,
    kind: SessionKind,
  ): Promise<SignedIn>
  passkeyLoginOptions(client: Client): Promise<Record<string, unknown>>
  logInByPasskey(answer: PasskeyAnswer, client: Client, kind: SessionKind): Promise<SignedIn>
  logOut(token: string): Promise<void>
  /** One indexed query, shared by all calls of one turn of the event loop. */
  authenticate(token: string): Promise<(BuyerRow & SessionRow) | undefined>
  stepUp(caller: Caller, proof: StepUpProof): Promise<void>
  /** Refuses `step_up_required` unless the session's login or step-up is at most 15 minutes old. */
  requireRecent(caller: Caller, currentPassword?: string): Promise<void>

  readProfile(userId: string): Promise<Profile>
  updateProfile(
    caller: Caller,
    changes: ProfileChanges,
    proof?: { currentPassword?: string | undefined; isWaived?: boolean },
  ): Promise<void>
  resendConfirmation(userId: string): Promise<void>
  useConfirmation(token: string, client: Client): Promise<void>
  changePassword(caller: Caller, input: { currentPassword: string; newPassword: string }): Promise<void>
  setPassword(caller: Caller, newPassword: string): Promise<void>
  requestReset(email: string, client: Client): Promise<void>
  resetPassword(input: { token: string; password: string }, client: Client): Promise<void>

  listSessions(userId: string, currentId: string | null): Promise<SessionSummary[]>
  /** Refuses `not_found`. */
  endSession(userId: string, sessionId: string): Promise<void>
  endOtherSessions(caller: Caller): Promise<number>

  /** Second factors; the caller checks `requireRecent` first. */
  factors: FactorActions

  exportOwnData(userId: string): Promise<string>
  deleteAccount(
    caller: Caller,
    input: { currentPassword?: string | undefined; givesUpTokens?: boolean | undefined },
  ): Promise<void>
  /** Deletes ended sessions, links and challenges. */
  sweep(): Promise<void>
}

export interface AccountsOptions {
  database: Database
  secrets: Secrets
  limits: Limits
  publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

const contactOf = statement(
  'accounts_contact',
  'select email, name, language from users where id = $1 and deleted_at is null',
)

export function createAccounts(options: AccountsOptions): Accounts {
  const { database, secrets } = options
  const needs: AccountNeeds = {
    database,
    limits: options.limits,
    sendMail: options.sendMail,
    publicUrl: options.publicUrl,
    links: createLinks(),
    secondFactors: createSecondFactors(secrets),
    passkeys: createPasskeys({ publicUrl: options.publicUrl }),
    sessions: createSessions<BuyerRow>({
      database,
      holder: 'user',
      tokenPrefix: USER_TOKEN_PREFIX,
      lifetimes: {
        browser: { wholeSeconds: 30 * DAY, idleSeconds: 7 * DAY },
        token: { wholeSeconds: 30 * DAY, idleSeconds: 30 * DAY },
      },
      actorColumns:
        'u.id as user_id, u.reference, u.email, u.name, u.language, u.confirmed_at is not null as is_confirmed',
      actorJoin: 'join users u on u.id = s.user_id and u.deleted_at is null',
    }),
  }
  const { sessions } = needs
  const factors = createFactorActions({
    database,
    secondFactors: needs.secondFactors,
    passkeys: needs.passkeys,
    onChange: (tx, holder, change) => tellOfFactor(needs, tx, holder, change),
  })

  return {
    register: (input, client, kind) => register(needs, input, client, kind),
    logIn: (input, client, kind) => logIn(needs, input, client, kind),
    async passkeyLoginOptions(client) {
      await needs.limits.take('passkey_network', client.network)
      return needs.passkeys.loginOptions(database, 'user')
    },
    logInByPasskey: (answer, client, kind) => logInByPasskey(needs, answer, client, kind),
    logOut: (token) => sessions.end(token),
    authenticate: (token) => sessions.authenticate(token),
    stepUp: (caller, proof) => stepUp(needs, caller, proof),
    requireRecent: (caller, password) => requireRecent(needs, caller, password),
    readProfile: (userId) => readProfile(needs, userId),
    updateProfile: (caller, changes, proof) => updateProfile(needs, caller, changes, proof),
    resendConfirmation: (userId) => resendConfirmation(needs, userId),
    useConfirmation: (token, client) => useConfirmation(needs, token, client),
    changePassword: (caller, input) => changePassword(needs, caller, input),
    setPassword: (caller, password) => setPassword(needs, caller, password),
    requestReset: (email, client) => requestReset(needs, email, client),
    resetPassword: (input, client) => resetPassword(needs, input, client),
    listSessions: (userId, currentId) => sessions.list(userId, currentId),
    async endSession(userId, sessionId) {
      if (!(await sessions.endById(database, userId, sessionId))) refuse('not_found')
    },
    endOtherSessions: (caller) => sessions.endOthers(database, caller.userId, caller.sessionId),
    factors,
    exportOwnData: (userId) => exportOwnData(needs, userId),
    deleteAccount: (caller, input) => deleteAccount(needs, caller, input),
    async sweep() {
      await sessions.sweep()
      await needs.links.sweep(database)
      await needs.passkeys.sweep(database)
    },
  }
}

async function tellOfFactor(
  needs: AccountNeeds,
  tx: Queryable,
  holder: Holder,
  change: FactorChange,
): Promise<void> {
  const user = await tx.maybeOne<{ email: string; name: string; language: Language }>(contactOf, [holder.id])
  if (!user) return
  await needs.sendMail(tx, {
    kind: 'second_factor_changed',
    to: user.email,
    language: user.language,
    name: user.name,
    change,
    at: new Date().toISOString(),
  })
}
