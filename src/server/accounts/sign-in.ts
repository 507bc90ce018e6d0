import {
  checkNewPassword,
  hashPassword,
  type NewSession,
  type PasskeyAnswer,
  type SessionKind,
  verifyPassword,
} from '../credentials/credentials.ts'
import { type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { emailKey, linkPaths, mailedLink } from './addresses.ts'
import type { AccountNeeds, Client, Language, PhonePolicy } from './needs.ts'

export interface Registration {
  name: string
  email: string
  phone?: string | undefined
  password: string
  language?: Language | undefined
}

export interface SignedIn {
  userId: string
  reference: string
  email: string
  session: NewSession
}

interface UserRow {
  id: string
  reference: string
  email: string
  name: string
  language: Language
  password_hash: string | null
}

const phonePolicy = statement(
  'accounts_phone_policy',
  `select settings -> 'buyers' ->> 'phone' as phone from campaign`,
)
const insertUser = statement(
  'accounts_register',
  `insert into users (email, email_key, name, phone, password_hash, language, is_demo)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (email_key) do nothing
   returning id, reference, email, name, language, password_hash`,
)
const userByEmail = statement(
  'accounts_by_email',
  'select id, reference, email, name, language, password_hash from users where email_key = $1',
)
const userById = statement(
  'accounts_by_id',
  `select id, reference, email, name, language, password_hash from users where id = $1 and deleted_at is null`,
)

/**
 * Makes an account, logs it in and mails a link that confirms the address; buying does not wait for it.
 * Refuses `too_many_requests`, `password_too_common`, `phone_required`, `registration_failed` (the address is taken).
 */
export async function register(
  needs: AccountNeeds,
  input: Registration & { isDemo?: boolean },
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  const { database, limits } = needs
  const key = emailKey(input.email)
  await limits.take('register_network', client.network)
  await limits.take('register_address', key)
  checkNewPassword(input.password, [key, input.name])
  const phone = input.phone?.trim() || null
  const policy = await database.maybeOne<{ phone: PhonePolicy | null }>(phonePolicy)
  if (policy?.phone === 'required' && !phone) refuse('phone_required')
  const passwordHash = await hashPassword(input.password)
  return database.transaction(async (tx) => {
    const user = await tx.maybeOne<UserRow>(insertUser, [
      input.email.trim(),
      key,
      input.name.trim(),
      policy?.phone === 'not_asked' ? null : phone,
      passwordHash,
      input.language ?? 'en',
      input.isDemo ?? false,
    ])
    if (!user) return refuse('registration_failed')
    await mailConfirmation(needs, tx, user)
    await limits.rememberNetwork(tx, accountKey(key), client.network)
    return signedInFrom(user, await needs.sessions.start(tx, user.id, client, kind))
  })
}

/** Mails a fresh link; the one before stops working. */
export async function mailConfirmation(
  needs: AccountNeeds,
  tx: Queryable,
  user: { id: string; email: string; name: string; language: Language },
): Promise<void> {
  const token = await needs.links.create(tx, 'confirm_email', { kind: 'user', id: user.id }, user.email)
  await needs.sendMail(tx, {
    kind: 'confirm_email',
    to: user.email,
    language: user.language,
    name: user.name,
    link: mailedLink(needs.publicUrl, linkPaths.confirm_email, token),
  })
}

/**
 * Logs in by password, and by a code where a second factor is on. Refuses `too_many_requests`, `login_failed` (any wrong
 * pair, in the same time), `second_factor_required` with its `methods`, `second_factor_wrong`.
 */
export async function logIn(
  needs: AccountNeeds,
  input: { email: string; password: string; code?: string | undefined },
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  const { database, limits } = needs
  const key = emailKey(input.email)
  const account = accountKey(key)
  const pair = `${account}@${client.network}`
  await limits.take('login_network', client.network)
  await limits.strike('login_pair', pair)
  const isKnown = await limits.isNetworkKnown(account, client.network)
  if (!isKnown) await limits.strike('login_account', account)
  const user = await database.maybeOne<UserRow>(userByEmail, [key])
  if (!(await verifyPassword(user?.password_hash, input.password)) || !user) return refuse('login_failed')
  await limits.forgive('login_pair', pair, 'all')
  if (!isKnown) await limits.forgive('login_account', account, 'one')
  const code = await askSecondFactor(needs, user.id, input.code)
  const signedIn = await database.transaction(async (tx) => {
    if (code !== undefined) await needs.secondFactors.check(tx, { kind: 'user', id: user.id }, code)
    return startSession(needs, tx, user, client, kind)
  })
  if (code !== undefined) await limits.forgive('second_factor', `user:${user.id}`, 'all')
  return signedIn
}

/** The code to check, counted as an attempt; undefined where no second factor is on. */
async function askSecondFactor(needs: AccountNeeds, userId: string, code: string | undefined) {
  const state = await needs.secondFactors.state(needs.database, { kind: 'user', id: userId })
  if (!state.hasTotp && state.passkeys === 0) return undefined
  if (!code) {
    const methods = [
      ...(state.hasTotp ? ['totp'] : []),
      ...(state.passkeys > 0 ? ['passkey'] : []),
      ...(state.recoveryCodesLeft > 0 ? ['recovery_code'] : []),
    ]
    return refuse('second_factor_required', { methods })
  }
  await needs.limits.strike('second_factor', `user:${userId}`)
  return code
}

/** A passkey proves possession and the person: it needs neither password nor code. Refuses `passkey_refused`. */
export async function logInByPasskey(
  needs: AccountNeeds,
  answer: PasskeyAnswer,
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  await needs.limits.take('passkey_network', client.network)
  return needs.database.transaction(async (tx) => {
    const holder = await needs.passkeys.login(tx, 'user', answer)
    const user = (await tx.maybeOne<UserRow>(userById, [holder.id])) ?? refuse('passkey_refused')
    return startSession(needs, tx, user, client, kind)
  })
}

/** Starts a session and, from a place that the account has not logged in from before, tells its owner by mail. */
async function startSession(
  needs: AccountNeeds,
  tx: Queryable,
  user: UserRow,
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  const session = await needs.sessions.start(tx, user.id, client, kind)
  const account = accountKey(emailKey(user.email))
  if (!(await needs.limits.rememberNetwork(tx, account, client.network))) {
    await needs.sendMail(tx, {
      kind: 'new_sign_in',
      to: user.email,
      language: user.language,
      name: user.name,
      device: client.userAgent,
      network: client.network,
      at: new Date().toISOString(),
    })
  }
  return signedInFrom(user, session)
}

function signedInFrom(user: UserRow, session: NewSession): SignedIn {
  return { userId: user.id, reference: user.reference, email: user.email, session }
}

export function accountKey(key: string): string {
  return `user:${key}`
}
