import {
  checkNewPassword,
  hashPassword,
  type PasskeyAnswer,
  verifyPassword,
} from '../credentials/credentials.ts'
import { type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { emailKey, linkPaths, mailedLink } from './addresses.ts'
import type { AccountNeeds, Client, Language } from './needs.ts'
import { mailConfirmation } from './sign-in.ts'

export interface Profile {
  reference: string
  name: string
  email: string
  phone: string | null
  language: Language
  isConfirmed: boolean
  /** A new address that waits for the link mailed to it. */
  pendingEmail: string | null
  showsOnLeaderboard: boolean
  nickname: string | null
  isDemo: boolean
  registeredAt: string
}

export interface ProfileChanges {
  name?: string | undefined
  email?: string | undefined
  phone?: string | null | undefined
  language?: Language | undefined
  showsOnLeaderboard?: boolean | undefined
  nickname?: string | null | undefined
}

/** Whose session asks; sensitive changes need a login or step-up of the last 15 minutes, or the password with them. */
export interface Caller {
  userId: string
  sessionId: string
}

interface ProfileRow {
  reference: string
  name: string
  email: string
  phone: string | null
  language: Language
  confirmed_at: Date | null
  pending_email: string | null
  shows_on_leaderboard: boolean
  nickname: string | null
  is_demo: boolean
  created_at: Date
}

interface LockedUser {
  id: string
  email: string
  email_key: string
  name: string
  language: Language
  password_hash: string | null
  confirmed_at: Date | null
}

const readRow = statement(
  'accounts_profile',
  `select u.reference, u.name, u.email, u.phone, u.language, u.confirmed_at, u.shows_on_leaderboard, u.nickname,
     u.is_demo, u.created_at,
     (select l.email from one_time_links l where l.user_id = u.id and l.purpose = 'change_email'
       and l.used_at is null and l.expires_at > now() order by l.created_at desc limit 1) as pending_email
   from users u where u.id = $1 and u.deleted_at is null`,
)
const lockUser = statement(
  'accounts_lock',
  `select id, email, email_key, name, language, password_hash, confirmed_at from users
   where id = $1 and deleted_at is null for no key update`,
)
const readUser = statement(
  'accounts_read_for_change',
  `select id, email, email_key, name, language, password_hash, confirmed_at from users
   where id = $1 and deleted_at is null`,
)
const writeProfile = statement(
  'accounts_write_profile',
  `update users set name = coalesce($2, name), phone = case when $3 then $4 else phone end,
     language = coalesce($5, language), shows_on_leaderboard = coalesce($6, shows_on_leaderboard),
     nickname = case when $7 then $8 else nickname end
   where id = $1`,
)
const isEmailTaken = statement(
  'accounts_email_taken',
  'select exists (select from users where email_key = $1) as taken',
)
const moveEmail = statement(
  'accounts_move_email',
  `update users set email = $2, email_key = $3, confirmed_at = now() where id = $1 and deleted_at is null
   and not exists (select from users o where o.email_key = $3 and o.id <> $1) returning id`,
)
const confirmEmail = statement(
  'accounts_confirm_email',
  `update users set confirmed_at = coalesce(confirmed_at, now()) where id = $1 and email_key = $2 and deleted_at is null
   returning id`,
)
const writePassword = statement(
  'accounts_write_password',
  'update users set password_hash = $2 where id = $1',
)
const isRecent = statement(
  'accounts_is_recent',
  `select authenticated_at > now() - interval '15 minutes' as recent from user_sessions where id = $1`,
)
const resetTarget = statement(
  'accounts_reset_target',
  'select id, email, name, language from users where email_key = $1 and deleted_at is null',
)

export async function readProfile(needs: AccountNeeds, userId: string): Promise<Profile> {
  const row = (await needs.database.maybeOne<ProfileRow>(readRow, [userId])) ?? refuse('session_ended')
  return {
    reference: row.reference,
    name: row.name,
    email: row.email,
    phone: row.phone,
    language: row.language,
    isConfirmed: row.confirmed_at !== null,
    pendingEmail: row.pending_email,
    showsOnLeaderboard: row.shows_on_leaderboard,
    nickname: row.nickname,
    isDemo: row.is_demo,
    registeredAt: row.created_at.toISOString(),
  }
}

/**
 * Changes what is given. A new address only takes effect once the link mailed to it is used; the old address is told.
 * Refuses, in this order, `step_up_required` (address), `email_taken`, `nickname_taken`.
 */
export async function updateProfile(
  needs: AccountNeeds,
  caller: Caller,
  changes: ProfileChanges,
  proof: { currentPassword?: string | undefined; isWaived?: boolean } = {},
): Promise<void> {
  const wantsEmail = changes.email === undefined ? undefined : changes.email.trim()
  const user = await readForChange(needs, caller.userId)
  const isMoving = wantsEmail !== undefined && emailKey(wantsEmail) !== user.email_key
  if (isMoving) {
    if (!proof.isWaived) await requireProof(needs, caller, user, proof.currentPassword)
    await needs.limits.take('email_change_account', caller.userId)
  }
  await needs.database.transaction(async (tx) => {
    await uniqueNickname(() =>
      tx.query(writeProfile, [
        caller.userId,
        changes.name?.trim() ?? null,
        changes.phone !== undefined,
        changes.phone?.trim() || null,
        changes.language ?? null,
        changes.showsOnLeaderboard ?? null,
        changes.nickname !== undefined,
        changes.nickname?.trim() || null,
      ]),
    )
    if (isMoving) await askNewEmail(needs, tx, user, wantsEmail)
  })
}

async function askNewEmail(
  needs: AccountNeeds,
  tx: Queryable,
  user: LockedUser,
  email: string,
): Promise<void> {
  const { taken } = await tx.one<{ taken: boolean }>(isEmailTaken, [emailKey(email)])
  if (taken) refuse('email_taken')
  const token = await needs.links.create(tx, 'change_email', { kind: 'user', id: user.id }, email)
  const { name, language } = user
  const link = mailedLink(needs.publicUrl, linkPaths.change_email, token)
  await needs.sendMail(tx, { kind: 'change_email', to: email, language, name, link })
  await needs.sendMail(tx, { kind: 'email_changing', to: user.email, language, name, newEmail: email })
}

/** Uses a mailed link: proves the address, or moves the account to it. Refuses `link_expired`, `email_taken`. */
export async function useConfirmation(needs: AccountNeeds, token: string, client: Client): Promise<void> {
  await needs.limits.take('link_network', client.network)
  await needs.database.transaction(async (tx) => {
    const change = await unlessExpired(() => needs.links.use(tx, 'change_email', token))
    const link = change ?? (await needs.links.use(tx, 'confirm_email', token))
    const email = link.email ?? refuse('link_expired')
    const key = emailKey(email)
    const done = change
      ? await uniqueEmail(() => tx.query(moveEmail, [link.holder.id, email, key]))
      : await tx.query(confirmEmail, [link.holder.id, key])
    if (done.length === 0) refuse(change ? 'email_taken' : 'link_expired')
    // A reset asked for at the old address must not open the account at the new one.
    if (change) await needs.links.revoke(tx, link.holder, ['reset_password', 'confirm_email'])
  })
}

async function unlessExpired<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'link_expired') return undefined
    throw error
  }
}

/** Mails the confirmation again; nothing where the address is proved already. Refuses `too_many_requests`. */
export async function resendConfirmation(needs: AccountNeeds, userId: string): Promise<void> {
  await needs.limits.take('confirm_account', userId)
  await needs.database.transaction(async (tx) => {
    const user = (await tx.maybeOne<LockedUser>(lockUser, [userId])) ?? refuse('session_ended')
    if (user.confirmed_at === null) await mailConfirmation(needs, tx, user)
  })
}

/** Ends the other sessions. Refuses `too_many_requests`, `password_wrong`, `password_too_common`. */
export async function changePassword(
  needs: AccountNeeds,
  caller: Caller,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const user = await readForChange(needs, caller.userId)
  await requirePassword(needs, user, input.currentPassword)
  await setPassword(needs, caller, input.newPassword)
}

/** The same where a fresh token is the proof (the original wire contract). Refuses `password_too_common`. */
export async function setPassword(needs: AccountNeeds, caller: Caller, newPassword: string): Promise<void> {
  const user = await readForChange(needs, caller.userId)
  checkNewPassword(newPassword, [user.email_key, user.name])
  const passwordHash = await hashPassword(newPassword)
  await needs.database.transaction(async (tx) => {
    await tx.query(writePassword, [user.id, passwordHash])
    await needs.sessions.endOthers(tx, user.id, caller.sessionId)
    await needs.links.revoke(tx, { kind: 'user', id: user.id }, ['reset_password', 'change_email'])
    await needs.sendMail(tx, passwordChangedMail(user))
  })
}

/** Always answers the same, whether there is such an account or not. Refuses `too_many_requests`. */
export async function requestReset(needs: AccountNeeds, email: string, client: Client): Promise<void> {
  const key = emailKey(email)
  await needs.limits.take('reset_network', client.network)
  await needs.limits.take('reset_address', key)
  await needs.database.transaction(async (tx) => {
    const user = await tx.maybeOne<LockedUser>(resetTarget, [key])
    if (!user) return
    const token = await needs.links.create(tx, 'reset_password', { kind: 'user', id: user.id }, user.email)
    await needs.sendMail(tx, {
      kind: 'reset_password',
      to: user.email,
      language: user.language,
      name: user.name,
      link: mailedLink(needs.publicUrl, linkPaths.reset_password, token),
    })
  })
}

/**
 * Takes the account over for whoever reads its mail: new password, every session ended, address proved. Where it had
 * never been proved, whoever registered it may have been a stranger: their second factors and passkeys go too.
 * Refuses `link_expired`, `password_too_common`.
 */
export async function resetPassword(
  needs: AccountNeeds,
  input: { token: string; password: string },
  client: Client,
): Promise<void> {
  await needs.limits.take('link_network', client.network)
  checkNewPassword(input.password)
  const passwordHash = await hashPassword(input.password)
  await needs.database.transaction(async (tx) => {
    const { holder, email } = await needs.links.use(tx, 'reset_password', input.token)
    const user = (await tx.maybeOne<LockedUser>(lockUser, [holder.id])) ?? refuse('link_expired')
    if (email === null || emailKey(email) !== user.email_key) refuse('link_expired')
    await tx.query(writePassword, [user.id, passwordHash])
    await tx.query(confirmEmail, [user.id, user.email_key])
    await needs.sessions.endOthers(tx, user.id, null)
    await needs.links.revoke(tx, holder, ['reset_password', 'confirm_email', 'change_email'])
    if (user.confirmed_at === null) await needs.secondFactors.removeAll(tx, holder)
    await needs.sendMail(tx, passwordChangedMail(user))
  })
}

export type StepUpProof = { password: string } | { code: string } | { passkey: PasskeyAnswer }

/** Proves again who asks, for 15 minutes. Refuses `too_many_requests`, `password_wrong`, `second_factor_wrong`, `passkey_refused`. */
export async function stepUp(needs: AccountNeeds, caller: Caller, proof: StepUpProof): Promise<void> {
  if ('password' in proof) {
    await requirePassword(needs, await readForChange(needs, caller.userId), proof.password)
    return needs.sessions.confirm(needs.database, caller.sessionId)
  }
  if ('code' in proof) await needs.limits.strike('second_factor', `user:${caller.userId}`)
  await needs.database.transaction(async (tx) => {
    if ('code' in proof) await needs.secondFactors.check(tx, { kind: 'user', id: caller.userId }, proof.code)
    else if ((await needs.passkeys.login(tx, 'user', proof.passkey)).id !== caller.userId)
      refuse('passkey_refused')
    await needs.sessions.confirm(tx, caller.sessionId)
  })
  if ('code' in proof) await needs.limits.forgive('second_factor', `user:${caller.userId}`, 'all')
}

/** Refuses `step_up_required` unless the session is fresh, or `password_wrong` where the password given with it is. */
export async function requireRecent(
  needs: AccountNeeds,
  caller: Caller,
  currentPassword?: string | undefined,
): Promise<void> {
  await requireProof(needs, caller, await readForChange(needs, caller.userId), currentPassword)
}

async function requireProof(
  needs: AccountNeeds,
  caller: Caller,
  user: LockedUser,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentPassword) return requirePassword(needs, user, currentPassword)
  const row = await needs.database.maybeOne<{ recent: boolean }>(isRecent, [caller.sessionId])
  if (!row?.recent) refuse('step_up_required')
}

async function requirePassword(needs: AccountNeeds, user: LockedUser, password: string): Promise<void> {
  const subject = `user:${user.id}`
  await needs.limits.strike('step_up', subject)
  if (!(await verifyPassword(user.password_hash, password))) refuse('password_wrong')
  await needs.limits.forgive('step_up', subject, 'all')
}

async function readForChange(needs: AccountNeeds, userId: string): Promise<LockedUser> {
  return (await needs.database.maybeOne<LockedUser>(readUser, [userId])) ?? refuse('session_ended')
}

function passwordChangedMail(user: LockedUser) {
  const { email, language, name } = user
  return { kind: 'password_changed', to: email, language, name, at: new Date().toISOString() } as const
}

const UNIQUE_VIOLATION = '23505'

async function uniqueNickname<T>(work: () => Promise<T>): Promise<T> {
  return onUniqueViolation(work, () => refuse('nickname_taken'))
}

async function uniqueEmail<T>(work: () => Promise<T>): Promise<T> {
  return onUniqueViolation(work, () => refuse('email_taken'))
}

async function onUniqueViolation<T>(work: () => Promise<T>, refusal: () => never): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return refusal()
    throw error
  }
}
