import { type Proof, TAKE_BACK_DAYS, takeProof } from '../credentials/credentials.ts'
import { type Database, fragmentOf, type Queryable, sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import {
  openRefundAddress,
  type Secrets,
  type StoredText,
  sealMailbox,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import { type BuyerActor, holdAccess } from '../unit-of-work/unit-of-work.ts'
import { type LockedUser, lockUser } from './locked-user.ts'
import { type AccountParts, accountKey } from './parts.ts'
import { readProfile } from './profile.ts'
import { isDeletionDue, mayBeTakenBack, takeBackLink } from './take-back.ts'

/** Returns a row as JSON with numbers as strings, so that no reader rounds an amount. */
const asText = (row: string, ...without: string[]) =>
  fragmentOf(
    `(select jsonb_object_agg(key, case jsonb_typeof(value) when 'number' then to_jsonb(value #>> '{}') else value end)
        from jsonb_each(to_jsonb(${row})${without.map((column) => ` - '${column}'`).join('')}))`,
  )

// Rules: ACCOUNT-1, TEXT-8, TEXT-11
export async function exportOwnData(parts: AccountParts, userId: string): Promise<string> {
  const { db, limits, secrets } = parts
  await limits.take('export_account', userId)
  const { name, phone } = await readProfile(parts, userId)
  const refunds = JSON.stringify(await readRefunds(db, secrets, userId))
  const row = await db.one<{ data: string }>(
    sql`select jsonb_build_object(
      'exportedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'account', (select ${asText('u', 'id', 'password_hash', 'email_key', 'name_sealed', 'phone_sealed', 'mailbox_sealed', 'mailbox_mark')}
                           || jsonb_build_object('name', ${name}::text, 'phone', ${phone}::text) from users u where u.id = ${userId}),
      'sessions', (select coalesce(jsonb_agg(${asText('s', 'token_hash', 'user_id')} order by s.created_at), '[]')
                     from user_sessions s where s.user_id = ${userId}),
      'passkeys', (select coalesce(
                            jsonb_agg(${asText('p', 'public_key', 'user_id', 'operator_id')} order by p.created_at), '[]')
                     from passkeys p where p.user_id = ${userId}),
      'hasAuthenticatorApp', exists (select from totp_secrets t where t.user_id = ${userId} and t.confirmed_at is not null and t.removed_at is null),
      'failedAttempts', (select coalesce(
                            jsonb_agg(${asText('f', 'id', 'user_id', 'operator_id')} order by f.last_at), '[]')
                           from failed_attempts f where f.user_id = ${userId}),
      'deliveryAddresses', (select coalesce(jsonb_agg(${asText('d', 'id', 'user_id')} order by d.id), '[]')
                              from delivery_addresses d where d.user_id = ${userId}),
      'referralLink', (select ${asText('l', 'user_id')} from referral_links l where l.user_id = ${userId}),
      'browsers', (select coalesce(jsonb_agg(${asText('d', 'user_id', 'mark')} order by d.first_seen_at), '[]')
                     from user_devices d where d.user_id = ${userId}),
      'nicknamesGivenUp', (select coalesce(jsonb_agg(${asText('n', 'user_id', 'look_hash')} order by n.given_up_at), '[]')
                             from nicknames_given_up n where n.user_id = ${userId}),
      'cameByLink', (select ${asText('r', 'friend_id', 'referrer_id')} from referrals r where r.friend_id = ${userId}),
      'holdings', (select ${asText('h', 'user_id')} from holdings h where h.user_id = ${userId}),
      'operatorNotes', (select coalesce(jsonb_agg(${asText('n', 'id', 'user_id', 'operator_id')} order by n.id), '[]')
                          from user_notes n where n.user_id = ${userId}),
      'orders', (select coalesce(
                          jsonb_agg(${asText('o', 'user_id', 'request_hash', 'idempotency_key')} order by o.id), '[]')
                   from orders o where o.user_id = ${userId}),
      'refunds', ${refunds}::jsonb,
      'giveawayEntries', (select coalesce(
                            jsonb_agg(${asText('g', 'user_id', 'mailbox_mark')} order by g.entered_at), '[]')
                           from giveaway_entries g where g.user_id = ${userId}),
      'comments', (select coalesce(jsonb_agg(${asText('c', 'user_id', 'hidden_by')} order by c.id), '[]')
                     from comments c where c.user_id = ${userId}),
      'commentReports', (select coalesce(jsonb_agg(${asText('r', 'user_id')} order by r.created_at), '[]')
                           from comment_reports r where r.user_id = ${userId}),
      'bookmarks', (select coalesce(jsonb_agg(${asText('b', 'user_id')} order by b.created_at), '[]')
                      from bookmarks b where b.user_id = ${userId}),
      'framedOrders', (select coalesce(jsonb_agg(${asText('f', 'key_hash')} order by f.told_at), '[]')
                         from framed_orders f join orders o on o.id = f.order_id where o.user_id = ${userId}),
      'browsersWithNotices', (select coalesce(jsonb_agg(${asText('d', 'id', 'user_id', 'mark', 'session_id', 'target_encrypted')} order by d.id), '[]')
                                from push_devices d where d.user_id = ${userId}),
      'followsAnnouncements', (select ${asText('f', 'id', 'confirm_hash', 'leave_key')} from followers f join users u on u.email_key = f.email_key
                                where u.id = ${userId} and u.confirmed_at is not null),
      'ledgerEntries', (select coalesce(jsonb_agg(${asText('e', 'user_id')} order by e.id), '[]')
                          from entries e where e.user_id = ${userId})
    )::text as data`,
  )
  return row.data
}

async function readRefunds(db: Database, secrets: Secrets, userId: string): Promise<object[]> {
  const rows = await db.query<{ id: string; address: StoredText; refund: object }>(
    sql`select r.id, ${storedRefundAddress} as address,
               ${asText('r', 'user_id', 'address_key', 'address_sealed', 'address_mark', 'inputs')} as refund
          from refunds r where r.user_id = ${userId} order by r.id`,
  )
  return rows.map((row) => ({ ...row.refund, address: openRefundAddress(secrets, row) }))
}

// Rules: ACCOUNT-1
/** Returns the due time, null if already deleted. */
export async function deleteAccount(
  parts: AccountParts,
  actor: BuyerActor,
  input: { proof: Proof; givesUpTokens?: boolean | undefined },
): Promise<{ dueAt: string | null }> {
  const { userId } = actor
  return parts.db.transaction(async (tx) => {
    await holdAccess(tx, actor, true)
    await takeProof({ sessions: parts.sessions, proofs: parts.credentials.proofs }, tx, actor, input.proof)
    // Waits for orders that hold the row, and blocks new ones.
    const user = (await lockUser(parts, tx, userId, true)) ?? refuse('session_ended')
    const holdsTokens = await refuseOpenBusiness(tx, userId, input.givesUpTokens ?? false)
    if (holdsTokens || (await mayWinOrEarn(tx, userId)) || (await mayBeTakenBack(tx, user)))
      return { dueAt: await deleteLater(parts, tx, user) }
    await removeAccount(parts, tx, user)
    return { dueAt: null }
  })
}

/**
 * True if the account has a giveaway entry that may still win, a prize that is not handed over, or a friend
 * whose orders may bring rewards.
 */
async function mayWinOrEarn(tx: Queryable, userId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from giveaway_entries e
         where e.user_id = ${userId}
           and (not exists (select from giveaway_draws d where d.giveaway_id = e.giveaway_id)
                or exists (select from giveaway_winners w
                            where w.giveaway_id = e.giveaway_id and w.lapsed_at is null and w.handed_at is null
                              and (w.confirmed_at is null or w.user_id = e.user_id)))
        union all
        select from referrals r join users f on f.id = r.friend_id
         where r.referrer_id = ${userId} and f.deleted_at is null
           and not exists (select from referrals_found n where n.friend_id = f.id)
        limit 1`,
  )
  return rows.length > 0
}

/** Without a link for an unconfirmed address, whose reader may be somebody else. */
async function deleteLater(parts: AccountParts, tx: Queryable, user: LockedUser): Promise<string> {
  const { id, email, language, name } = user
  const { due } = await tx.one<{ due: Date }>(
    sql`update users set deletion_due_at = coalesce(deletion_due_at, now() + make_interval(days => ${TAKE_BACK_DAYS}))
         where id = ${id} returning deletion_due_at as due`,
  )
  const dueAt = due.toISOString()
  const link = user.confirmed_at ? await takeBackLink(parts, tx, user) : ''
  await parts.sendMail(tx, { kind: 'account_deleting', to: email, language, name, at: dueAt, link })
  return dueAt
}

export async function keepAccount({ db }: AccountParts, actor: BuyerActor): Promise<void> {
  await db.transaction(async (tx) => {
    await holdAccess(tx, actor)
    await tx.query(sql`update users set deletion_due_at = null where id = ${actor.userId}`)
  })
}

/** Deletes accounts whose week is over. Accounts with a link that takes them back, an open order or money owed wait. */
export async function deleteDueAccounts(parts: AccountParts): Promise<void> {
  const due = await parts.db.query<{ id: string }>(
    sql`select id from users where ${isDeletionDue} order by deletion_due_at limit 500`,
  )
  for (const { id } of due)
    await parts.db
      .transaction(async (tx) => {
        const user = await lockUser(parts, tx, id, true)
        const isDue = await tx.maybeOne(sql`select from users where id = ${id} and ${isDeletionDue}`)
        if (!user || !isDue) return
        await refuseOpenBusiness(tx, id, true)
        await removeAccount(parts, tx, user)
      })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
}

async function removeAccount(parts: AccountParts, tx: Queryable, user: LockedUser): Promise<void> {
  const { id: userId, email, language, name } = user
  await parts.sendMail(tx, { kind: 'account_deleted', to: email, language, name })
  await rememberOnePerson(tx, userId)
  await parts.sessions.endOthers(tx, userId, null)
  await parts.credentials.secondFactors.removeAll(tx, { kind: 'user', id: userId })
  await tx.query(sql`delete from one_time_links where user_id = ${userId}`)
  await tx.query(sql`delete from failed_attempts where user_id = ${userId}`)
  await tx.query(sql`delete from delivery_challenges where user_id = ${userId}`)
  await tx.query(sql`delete from delivery_addresses where user_id = ${userId}`)
  await tx.query(sql`delete from referral_links where user_id = ${userId}`)
  await tx.query(sql`delete from user_devices where user_id = ${userId}`)
  await tx.query(sql`delete from comment_reports where user_id = ${userId}`)
  await tx.query(sql`delete from push_devices where user_id = ${userId}`)
  await tx.query(sql`delete from bookmarks where user_id = ${userId}`)
  await tx.query(
    sql`delete from framed_orders f using orders o where o.id = f.order_id and o.user_id = ${userId}`,
  )
  await tx.query(sql`delete from comments where user_id = ${userId}`)
  await tx.query(
    sql`delete from followers f using users u where u.id = ${userId} and u.confirmed_at is not null and f.email_key = u.email_key`,
  )
  await leaveGiveaways(tx, userId)
  await makeAnonymous(parts, tx, userId)
  // The nickname stays reserved for its time, without an owner.
  await tx.query(sql`update nicknames_given_up set user_id = null where user_id = ${userId}`)
  // Comes last, because a trigger protects the notes of an account that is not anonymous.
  await tx.query(sql`delete from user_notes where user_id = ${userId}`)
}

// Rules: REFER-6
/**
 * Is the account the same person as its referrer or a friend below it? The evidence is about to be deleted.
 */
async function rememberOnePerson(tx: Queryable, userId: string): Promise<void> {
  await tx.query(
    sql`with recursive below as (
          select ${userId}::bigint as id
          union all select r.friend_id from below join referrals r on r.referrer_id = below.id)
        insert into referrals_found (friend_id, refusal)
        select r.friend_id, reason from below join referrals r on r.friend_id = below.id, one_person(r) reason
         where reason is not null
        on conflict do nothing`,
  )
}

// Rules: REFUND-14
/**
 * Keeps a sealed hash of the mailbox: payments to addresses of its orders, which may come at any time, are
 * owed to it.
 */
async function makeAnonymous(
  { secrets, limits }: AccountParts,
  tx: Queryable,
  userId: string,
): Promise<void> {
  const { email_key: key, has_orders: hasOrders } = await tx.one<{ email_key: string; has_orders: boolean }>(
    sql`select email_key, exists (select from orders where user_id = ${userId}) as has_orders
          from users where id = ${userId}`,
  )
  await limits.forgetNetworks(tx, accountKey(key))
  const mailbox = hasOrders ? sealMailbox(secrets, userId, key) : null
  await tx.query(
    sql`update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null, password_hash = null, nickname = null,
               shows_on_leaderboard = false, confirmed_at = null, deleted_at = now(), deletion_due_at = null,
               mailbox_sealed = ${mailbox?.sealed ?? null}, mailbox_mark = ${mailbox?.mark ?? null}
         where id = ${userId}`,
  )
}

/** Deletes entries. In a published list the commitment stays; it reveals nothing about the person. */
async function leaveGiveaways(tx: Queryable, userId: string): Promise<void> {
  // Publishing a list locks its giveaway, so an entry is either in the list or deleted before.
  await tx.query(
    sql`select g.id from giveaways g join giveaway_entries e on e.giveaway_id = g.id
         where e.user_id = ${userId} order by g.id for share of g`,
  )
  await tx.query(
    sql`delete from giveaway_entries e where user_id = ${userId}
           and not exists (select from giveaway_lists l where l.giveaway_id = e.giveaway_id)`,
  )
  await tx.query(sql`update giveaway_entries set country = null where user_id = ${userId}`)
}

/** Returns whether tokens are undelivered. Throws `account_has_pending`. */
async function refuseOpenBusiness(tx: Queryable, userId: string, givesUpTokens: boolean): Promise<boolean> {
  const { orders } = await tx.one<{ orders: number }>(
    sql`select count(*)::int as orders from orders o
         where user_id = ${userId}
           and (held
                or status = 'pending' and (may_be_paid_in_escrow(id) or is_in_escrow(id))
                or status = 'pending' and o.detail not in ('expired', 'refunded') and (sent_at is not null or o.detail <> 'awaiting_payment')
                or o.detail in ('refund_due', 'overpaid')
                or exists (select from refunds where order_id = o.id and state not in ('paid', 'written_off')))`,
  )
  const held = await tx.maybeOne<{ undelivered_tokens: string; is_owed_tokens: boolean }>(
    sql`select left_tokens::text as undelivered_tokens, left_tokens > 0 as is_owed_tokens
          from holdings, lateral (
            select purchased_tokens + bonus_tokens + granted_tokens
                   - allocated_purchased - allocated_bonus - allocated_granted as left_tokens) l
         where user_id = ${userId}`,
  )
  if (orders > 0 || (held?.is_owed_tokens && !givesUpTokens))
    refuse('account_has_pending', { orders, undeliveredTokens: held?.undelivered_tokens ?? '0' })
  return held?.is_owed_tokens ?? false
}
