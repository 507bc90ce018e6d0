import { emailKey, mailboxOf } from '../../shared/mailbox.ts'
import { type GivenProof, type Origin, takeProof } from '../credentials/credentials.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import {
  openName,
  openPhone,
  type StoredText,
  sealPerson,
  storedName,
  storedPhone,
} from '../secrets/secrets.ts'
import { type BuyerActor, holdAccess } from '../unit-of-work/unit-of-work.ts'
import { linkPaths, mailedLink } from './addresses.ts'
import { type LockedUser, lockUser, readUser } from './locked-user.ts'
import { looksOf } from './name-look.ts'
import type { AccountParts, Language } from './parts.ts'
import { proveWholly } from './passwords.ts'
import { isReserved, takeBackLink } from './take-back.ts'
import { onUniqueViolation } from './unique-violation.ts'

export interface Profile {
  reference: string
  name: string
  email: string
  phone: string | null
  language: Language
  isConfirmed: boolean
  pendingEmail: string | null
  deletionDueAt: string | null
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

interface ProfileRow {
  reference: string
  name: StoredText
  email: string
  phone: StoredText
  language: Language
  confirmed_at: Date | null
  pending_email: string | null
  deletion_due_at: Date | null
  shows_on_leaderboard: boolean
  nickname: string | null
  is_demo: boolean
  created_at: Date
}

export async function readProfile(parts: AccountParts, userId: string): Promise<Profile> {
  const row = await parts.db.maybeOne<ProfileRow>(
    sql`select u.reference, ${storedName} as name, u.email, ${storedPhone} as phone, u.language, u.confirmed_at, u.shows_on_leaderboard, u.nickname,
               u.is_demo, u.created_at, u.deletion_due_at,
               (select l.email from one_time_links l where l.user_id = u.id and l.purpose = 'change_email'
                   and l.used_at is null and l.expires_at > now() order by l.created_at desc limit 1) as pending_email
          from users u where u.id = ${userId} and u.deleted_at is null`,
  )
  return profileFromRow(parts, row ?? refuse('session_ended'))
}

export async function updateProfile(
  parts: AccountParts,
  actor: BuyerActor,
  changes: ProfileChanges,
  given: { proof: GivenProof | undefined; origin: Origin },
): Promise<void> {
  const user = await readUser(parts, actor.userId)
  const email = changes.email?.trim()
  const isMoving = email !== undefined && emailKey(email) !== user.email_key
  const proof = isMoving && (await proveWholly(parts, user, given.proof, given.origin))
  if (isMoving) {
    await parts.limits.take('email_change_account', user.id)
    // Limits the mails to this mailbox across all accounts, because its owner may not have asked for any.
    await parts.limits.take('register_address', mailboxOf(emailKey(email)))
  }
  await parts.db.transaction(async (tx) => {
    await holdAccess(tx, actor)
    if (proof)
      await takeProof({ sessions: parts.sessions, proofs: parts.credentials.proofs }, tx, actor, proof)
    // Read again: the address may have been confirmed or moved while the proof was checked.
    const locked = (await lockUser(parts, tx, user.id)) ?? refuse('session_ended')
    if (changes.nickname && (await isNameOfSale(tx, changes.nickname))) refuse('nickname_taken')
    await onUniqueViolation(() => writeProfile(parts, tx, locked, changes), 'nickname_taken')
    if (isMoving) await askNewEmail(parts, tx, locked, email)
  })
}

// Rules: BOARD-3
/** Its comments would pass for those of the sale, token or seller. */
async function isNameOfSale(tx: Queryable, nickname: string): Promise<boolean> {
  const sale = await tx.maybeOne<{ names: string[] }>(
    sql`select array_remove(array[settings ->> 'name', settings ->> 'symbol', settings #>> '{seller,name}'], null) as names
          from campaign`,
  )
  const [asked, ...looks] = await looksOf(tx, [nickname, ...(sale?.names ?? [])])
  return asked !== '' && looks.includes(asked as string)
}

async function writeProfile(
  { secrets }: AccountParts,
  tx: Queryable,
  { id, reference }: LockedUser,
  changes: ProfileChanges,
): Promise<void> {
  const { name, phone, language, showsOnLeaderboard, nickname } = changes
  const sealed = sealPerson(secrets, reference, { name: name?.trim(), phone: phone?.trim() })
  await tx.query(
    sql`update users set name = case when ${name !== undefined} then '' else name end,
               name_sealed = coalesce(${sealed.name}, name_sealed),
               phone = case when ${phone !== undefined} then null else phone end,
               phone_sealed = case when ${phone !== undefined} then ${sealed.phone} else phone_sealed end,
               language = coalesce(${language ?? null}, language),
               shows_on_leaderboard = coalesce(${showsOnLeaderboard ?? null}, shows_on_leaderboard),
               nickname = case when ${nickname !== undefined} then ${nickname?.trim() || null} else nickname end
         where id = ${id}`,
  )
}

async function askNewEmail(
  parts: AccountParts,
  tx: Queryable,
  user: LockedUser,
  email: string,
): Promise<void> {
  const { taken } = await tx.one<{ taken: boolean }>(
    sql`select exists (select from users where email_key = ${emailKey(email)}) as taken`,
  )
  if (taken || (await isReserved(tx, emailKey(email), user.id))) refuse('email_taken')
  const holder = { kind: 'user', id: user.id } as const
  const token = await parts.credentials.links.create(tx, 'change_email', holder, email)
  const { name, language } = user
  const link = mailedLink(parts.publicUrl, linkPaths.change_email, token)
  await parts.sendMail(tx, { kind: 'change_email', to: email, language, name, link })
  // An unconfirmed address may belong to somebody else.
  if (user.confirmed_at === null) return
  const back = await takeBackLink(parts, tx, user)
  await parts.sendMail(tx, {
    kind: 'email_changing',
    to: user.email,
    language,
    name,
    newEmail: email,
    link: back,
  })
}

function profileFromRow({ secrets }: AccountParts, row: ProfileRow): Profile {
  return {
    reference: row.reference,
    name: openName(secrets, row),
    email: row.email,
    phone: openPhone(secrets, row),
    language: row.language,
    isConfirmed: row.confirmed_at !== null,
    pendingEmail: row.pending_email,
    deletionDueAt: row.deletion_due_at?.toISOString() ?? null,
    showsOnLeaderboard: row.shows_on_leaderboard,
    nickname: row.nickname,
    isDemo: row.is_demo,
    registeredAt: row.created_at.toISOString(),
  }
}
