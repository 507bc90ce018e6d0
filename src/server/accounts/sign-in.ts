import { deviceName } from '../../shared/device-name.ts'
import {
  checkNewPassword,
  hashPassword,
  logInByPassword,
  type NewSession,
  type PasskeyAnswer,
  type SessionKind,
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

/** Refuses as `logInByPassword` does. */
export function logIn(
  needs: AccountNeeds,
  input: { email: string; password: string; code?: string | undefined },
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  const key = emailKey(input.email)
  const login = {
    kind: 'user',
    account: accountKey(key),
    password: input.password,
    code: input.code,
    find: () => needs.database.maybeOne<UserRow>(userByEmail, [key]),
    start: (tx: Queryable, user: UserRow) => startSession(needs, tx, user, client, kind),
  } as const
  return logInByPassword(needs, login, client)
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
      device: deviceName(client.userAgent) ?? '',
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
