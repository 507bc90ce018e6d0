import { randomBytes } from 'node:crypto'
import { deviceName } from '../../shared/device-name.ts'
import { emailKey, mailboxOf } from '../../shared/mailbox.ts'
import {
  checkNewPassword,
  forgetClients,
  logInByPassword,
  type NewSession,
  type PasskeyAnswer,
  refuseWhenLineIsFull,
  rememberClient,
  type SessionKind,
  takeLine,
} from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { sealPerson } from '../secrets/secrets.ts'
import { mailConfirmation } from './confirmations.ts'
import {
  findUserByEmail,
  type LockedUser,
  lockUser,
  openUser,
  type UserRow,
  userColumns,
} from './locked-user.ts'
import { type AccountParts, accountKey, type Client, type Language, type PhonePolicy } from './parts.ts'
import { isReserved } from './take-back.ts'

export interface Registration {
  name: string
  email: string
  phone?: string | undefined
  password: string
  language?: Language | undefined
  referralCode?: string | undefined
}

export interface SignedIn {
  userId: string
  reference: string
  email: string
  session: NewSession
}

export async function register(
  parts: AccountParts,
  input: Registration & { isDemo?: boolean },
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  refuseWhenLineIsFull('user')
  const { isFirst } = await parts.limits.takeFirst('register_network', client.network)
  // Outside the queue, so that it delays no other login.
  await checkNewPassword(input.password, [emailKey(input.email), input.name])
  return takeLine('user', () => addAccount(parts, input, client, kind, isFirst))
}

async function addAccount(
  parts: AccountParts,
  input: Registration & { isDemo?: boolean },
  client: Client,
  kind: SessionKind,
  isFirst: boolean,
): Promise<SignedIn> {
  const { db, limits, secrets, sessions } = parts
  const key = emailKey(input.email)
  await limits.take('register_address', mailboxOf(key))
  // Only before hashing, never for a rejected request.
  await limits.takeOfAll('register_all', isFirst)
  const phone = input.phone?.trim() || null
  const policy = await db.maybeOne<{ phone: PhonePolicy | null }>(
    sql`select settings -> 'buyers' ->> 'phone' as phone from campaign`,
  )
  if (policy?.phone === 'required' && !phone) refuse('phone_required')
  const passwordHash = await parts.credentials.passwords.hash(input.password, 'login')
  const reference = newReference()
  const sealed = sealPerson(secrets, reference, {
    name: input.name.trim(),
    phone: policy?.phone === 'not_asked' ? null : phone,
  })
  return db.transaction(async (tx) => {
    if (await isReserved(tx, key, null)) refuse('registration_failed')
    const added = await tx.maybeOne<UserRow>(
      sql`insert into users as u (reference, email, email_key, name, name_sealed, phone_sealed, password_hash, language, is_demo)
          values (${reference}, ${input.email.trim()}, ${key}, '', ${sealed.name}, ${sealed.phone},
                  ${passwordHash}, ${input.language ?? 'en'}, ${input.isDemo ?? false})
          on conflict (email_key) do nothing returning ${userColumns}`,
    )
    const user = openUser(parts, added) ?? refuse('registration_failed')
    await parts.noteReferral?.(tx, user.id, input.referralCode)
    await mailConfirmation(parts, tx, user)
    await forgetClients(limits, tx, accountKey(key), client)
    return signedInFrom(user, await sessions.start(tx, user.id, { client, kind, hasSecondFactor: false }))
  })
}

export function logIn(
  parts: AccountParts,
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
    find: () => findUserByEmail(parts, parts.db, key),
    start: (tx: Queryable, user: LockedUser, hasSecondFactor: boolean) =>
      startSession(parts, tx, user, { client, kind, hasSecondFactor }),
  } as const
  return logInByPassword(parts, login, client)
}

export async function logInByPasskey(
  parts: AccountParts,
  answer: PasskeyAnswer,
  client: Client,
  kind: SessionKind,
): Promise<SignedIn> {
  await parts.limits.take('passkey_network', client.network)
  return parts.db.transaction(async (tx) => {
    const holder = await parts.credentials.passkeys.login(tx, 'user', answer)
    const user = (await lockUser(parts, tx, holder.id)) ?? refuse('passkey_refused')
    return startSession(parts, tx, user, { client, kind, hasSecondFactor: true })
  })
}

/** The owner gets a mail about a login from an unknown place. */
async function startSession(
  parts: AccountParts,
  tx: Queryable,
  user: LockedUser,
  begun: { client: Client; kind: SessionKind; hasSecondFactor: boolean },
): Promise<SignedIn> {
  const { client } = begun
  const session = await parts.sessions.start(tx, user.id, begun)
  const account = accountKey(emailKey(user.email))
  if (!(await rememberClient(parts.limits, tx, account, client))) {
    await parts.sendMail(tx, {
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

function signedInFrom(user: LockedUser, session: NewSession): SignedIn {
  return { userId: user.id, reference: user.reference, email: user.email, session }
}

/**
 * In the format of the database's default. The row's seals are bound to it, so it is known before the insert.
 */
function newReference(): string {
  return `u_${randomBytes(8).toString('hex')}`
}
