import { setTimeout } from 'node:timers/promises'
import { emailKey } from '../../shared/mailbox.ts'
import { isFresh } from '../actions/actions.ts'
import {
  checkNewPassword,
  forgetClients,
  type GivenProof,
  type Origin,
  type Proof,
  placeOf,
  TAKE_BACK_DAYS,
  takeProof,
} from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type BuyerActor, holdAccess } from '../unit-of-work/unit-of-work.ts'
import { linkPaths, mailedLink } from './addresses.ts'
import { confirmEmail } from './confirmations.ts'
import { findUserByEmail, type LockedUser, lockUser, readUser } from './locked-user.ts'
import { type AccountParts, accountKey, type Client, endAccess } from './parts.ts'
import { endTakeBacks, moveBack } from './take-back.ts'
import { takeBackNamed } from './taken-back.ts'

const RESET_ANSWER_MS = 200

export const attemptOf = ({ id, email_key }: LockedUser, { network, browser, session }: Origin) => ({
  holder: { kind: 'user', id } as const,
  account: accountKey(email_key),
  network,
  browser,
  session,
})

// Rules: RIGHT-39
/** Throws as `Proofs.prepareWhole` does. */
export function proveWholly(
  { credentials }: AccountParts,
  user: LockedUser,
  given: GivenProof | undefined,
  origin: Origin,
): Promise<Proof> {
  if (given?.password !== undefined) requireProving(user)
  return credentials.proofs.prepareWhole(attemptOf(user, origin), user.password_hash, given)
}

// Rules: RIGHT-6
/** Throws `password_unproved` if the password was set without the previous one less than a day ago. */
export function requireProving({ password_proves: proves }: LockedUser): void {
  if (!proves) refuse('password_unproved')
}

export async function changePassword(
  parts: AccountParts,
  actor: BuyerActor,
  { proof: given, newPassword }: { proof: GivenProof; newPassword: string },
  origin: Origin,
): Promise<void> {
  const proof = await proveWholly(parts, await readUser(parts, actor.userId), given, origin)
  await replacePassword(parts, actor, newPassword, proof)
}

// Rules: RIGHT-6
/**
 * Sets a password without the previous one; it proves nothing for a day. Throws `step_up_required` if a second
 * factor is on, because the caller has no way to give it.
 */
export async function setPassword(
  parts: AccountParts,
  actor: BuyerActor,
  newPassword: string,
): Promise<void> {
  const hasFactor = await parts.credentials.factors.isOn(parts.db, { kind: 'user', id: actor.userId })
  if (hasFactor || !isFresh(actor.authenticatedAt)) refuse('step_up_required')
  await replacePassword(parts, actor, newPassword)
}

async function replacePassword(
  parts: AccountParts,
  actor: BuyerActor,
  newPassword: string,
  proof?: Proof,
): Promise<void> {
  const { credentials, db } = parts
  const user = await readUser(parts, actor.userId)
  await parts.limits.take('password_account', user.id)
  await checkNewPassword(newPassword, [user.email_key, user.name])
  const passwordHash = await credentials.passwords.hash(newPassword)
  await db.transaction(async (tx) => {
    await holdAccess(tx, actor, true)
    if (proof) await takeProof({ sessions: parts.sessions, proofs: credentials.proofs }, tx, actor, proof)
    await writePassword(tx, user.id, passwordHash, proof !== undefined)
    await endAccess(parts, tx, user.id, actor.sessionId ?? null)
    // Reset links stay valid: otherwise an intruder could revoke each one that the owner requests.
    await credentials.links.revoke(tx, { kind: 'user', id: user.id }, ['change_email'])
    await parts.sendMail(tx, passwordChangedMail(user))
    await takeBackNamed(parts, tx, user, 'infinity')
  })
}

// Rules: RIGHT-42
export async function requestReset(parts: AccountParts, email: string, client: Client): Promise<void> {
  const key = emailKey(email)
  await parts.limits.take('reset_network', client.network)
  await parts.limits.take('reset_address', `${key}@${client.network}`)
  // Unknown clients share one count, so that they cannot use up the owner's.
  if (!(await isOwnersPlace(parts, key, client))) await parts.limits.take('reset_address', key)
  // Answers after a fixed time, so that timing does not reveal whether the account exists.
  await Promise.all([mailReset(parts, key), setTimeout(RESET_ANSWER_MS)])
}

/** A stranger may have registered an unproved address, and then every network that they logged in from is known. */
async function isOwnersPlace(parts: AccountParts, key: string, client: Client): Promise<boolean> {
  const { isKnown } = await placeOf(parts.limits, accountKey(key), client)
  return isKnown && ((await findUserByEmail(parts, parts.db, key))?.confirmed_at ?? null) !== null
}

async function mailReset(parts: AccountParts, key: string): Promise<void> {
  const { credentials, db } = parts
  await db.transaction(async (tx) => {
    const user = await findUserByEmail(parts, tx, key)
    if (!user) return
    const holder = { kind: 'user', id: user.id } as const
    const token = await credentials.links.create(tx, 'reset_password', holder, user.email)
    await parts.sendMail(tx, {
      kind: 'reset_password',
      to: user.email,
      language: user.language,
      name: user.name,
      link: mailedLink(parts.publicUrl, linkPaths.reset_password, token),
    })
  })
}

export async function resetPassword(
  parts: AccountParts,
  input: { token: string; password: string },
  client: Client,
): Promise<void> {
  const { links, passwords } = parts.credentials
  // Checks the link first, because judging and hashing a password costs far more.
  await links.read(parts.db, ['reset_password', 'take_back'], input.token)
  await checkNewPassword(input.password)
  const passwordHash = await passwords.hash(input.password)
  await parts.db.transaction(async (tx) => {
    const back = await links.useIfOpen(tx, 'take_back', input.token)
    const { holder, email } = back ?? (await links.use(tx, 'reset_password', input.token))
    const user = (await lockUser(parts, tx, holder.id)) ?? refuse('link_expired')
    if (email === null) return refuse('link_expired')
    if (back) await moveBack(parts, tx, user, email)
    else if (emailKey(email) !== user.email_key) refuse('link_expired')
    await writePassword(tx, user.id, passwordHash, true)
    if (user.confirmed_at === null) await noteTakenOver(tx, user.id)
    await confirmEmail(tx, user.id, emailKey(email))
    await endAccess(parts, tx, user.id, null)
    await links.revoke(tx, holder, ['reset_password', 'confirm_email', 'change_email'])
    await endTakeBacks(tx, user.id, email, true)
    await parts.sendMail(tx, passwordChangedMail({ ...user, email }))
    await forgetClients(parts.limits, tx, accountKey(emailKey(email)), client)
    await takeBackNamed(parts, tx, { ...user, email }, firstOfDoubt(user))
  })
}

// Rules: RIGHT-38
/** Orders made later bring nothing to whoever had a stranger register the address. */
async function noteTakenOver(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`update users set taken_over_at = now() where id = ${userId}`)
}

/** A day longer than a link works, so that it also undoes what a thief did in the day before its mail. */
const DOUBT_DAYS = TAKE_BACK_DAYS + 1

// Rules: RIGHT-38
/** Factors and addresses added since then may be a stranger's; the epoch if the address was never confirmed. */
function firstOfDoubt({ confirmed_at }: LockedUser): Date {
  return new Date(confirmed_at === null ? 0 : Date.now() - DOUBT_DAYS * 24 * 3_600_000)
}

// Rules: ACCOUNT-1
/** Cancels a scheduled deletion too, because a thief may have requested it. */
async function writePassword(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  provesAtOnce: boolean,
): Promise<void> {
  await tx.query(
    sql`update users set password_hash = ${passwordHash}, deletion_due_at = null,
               password_proves_from = case when not ${provesAtOnce} then clock_timestamp() + interval '1 day' end
         where id = ${userId}`,
  )
}

function passwordChangedMail({ email, language, name }: LockedUser) {
  return { kind: 'password_changed', to: email, language, name, at: new Date().toISOString() } as const
}
