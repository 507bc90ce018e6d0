import { randomBytes } from 'node:crypto'
import { emailAddress } from '../../shared/api/account-inputs.ts'
import { defaultLanguage, isLanguage, localPath, type PublicLocale } from '../../shared/languages.ts'
import { mailboxOf } from '../../shared/mailbox.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { isNews } from '../news.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'

const BATCH = 500
const BATCHES_MAX = 100
/** A repeated request sends no second mail within this time; the first link still works. */
const AGAIN_MINUTES = 10
const CONFIRM_DAYS = 7
const MAIL_ATTEMPTS = 8

interface FollowersNeeds {
  readonly db: Database
  readonly limits: Pick<Limits, 'take'>
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

// Rules: TEXT-9
/** Announcements by mail, to confirmed addresses, if an owner has switched it on. */
export class Followers {
  readonly #needs: FollowersNeeds

  constructor(needs: FollowersNeeds) {
    this.#needs = needs
  }

  async isOn(): Promise<boolean> {
    const row = await this.#needs.db.maybeOne<{ is_on: boolean }>(
      sql`select coalesce((settings ->> 'followers')::boolean, false) as is_on from campaign`,
    )
    return row?.is_on ?? false
  }

  /** The response does not reveal whether the address follows already. */
  async ask(typed: string, language: PublicLocale, network: string): Promise<void> {
    const { db, limits, publicUrl, sendMail } = this.#needs
    const parsed = emailAddress.safeParse(typed)
    if (!parsed.success) return refuse('follow_address')
    if (!(await this.isOn())) refuse('followers_off')
    const email = parsed.data
    await limits.take('follow_network', network)
    // One mailbox has many addresses.
    await limits.take('follow_address', mailboxOf(email.toLowerCase()))
    const token = newToken('')
    // Mails have fewer languages than pages.
    const spoken = isLanguage(language) ? language : defaultLanguage
    await db.transaction(async (tx) => {
      const asked = await tx.maybeOne(
        sql`insert into followers as f (email, email_key, language, confirm_hash, leave_key)
            values (${email}, lower(${email}), ${spoken}, ${hashToken(token)}, ${randomBytes(16).toString('base64url')})
            on conflict (email_key) do update
              set confirm_hash = excluded.confirm_hash, language = excluded.language, asked_at = excluded.asked_at
              where f.confirmed_at is null and f.asked_at < now() - make_interval(mins => ${AGAIN_MINUTES})
            returning id`,
      )
      if (!asked) return
      const link = `${publicUrl}${localPath(language, `/updates/follow/${token}`)}`
      await sendMail(tx, { kind: 'follow_confirm', to: email, language: spoken, link })
    })
  }

  /** True if the link can confirm, or has confirmed, an address. */
  async isAsked(token: string): Promise<boolean> {
    const row = await this.#needs.db.maybeOne(
      sql`select from followers where confirm_hash = ${hashToken(token)}
             and (confirmed_at is not null or asked_at > now() - make_interval(days => ${CONFIRM_DAYS}))`,
    )
    return row !== undefined
  }

  /** A repeat changes nothing. */
  async confirm(token: string): Promise<void> {
    const row = await this.#needs.db.maybeOne(
      sql`update followers set confirmed_at = coalesce(confirmed_at, clock_timestamp())
           where confirm_hash = ${hashToken(token)}
             and (confirmed_at is not null or asked_at > now() - make_interval(days => ${CONFIRM_DAYS})) returning id`,
    )
    if (!row) refuse('link_expired')
  }

  /** Even while following is off; an unknown key is no error. */
  async leave(key: string): Promise<void> {
    await this.#needs.db.query(sql`delete from followers where leave_key = ${key}`)
  }

  async count(): Promise<{ isOn: boolean; confirmed: number; waiting: number }> {
    const counts = await this.#needs.db.one<{ confirmed: number; waiting: number }>(
      sql`select count(confirmed_at)::int as confirmed, (count(*) - count(confirmed_at))::int as waiting from followers`,
    )
    return { isOn: await this.isOn(), ...counts }
  }

  // Rules: TEXT-10
  /** Mails announcements since each follower confirmed, each once. */
  async tell(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) if ((await this.#tellSome()) < BATCH) return
  }

  async #tellSome(): Promise<number> {
    const added = await this.#needs.db.query(
      sql`with due as (
            select a.id as announcement_id, f.id as follower_id
              from announcements a join followers f on f.confirmed_at <= a.published_at
             where ${isNews}
               and exists (select from campaign where (settings ->> 'followers')::boolean)
               and not exists (select from announcement_mails m where m.announcement_id = a.id and m.follower_id = f.id)
             order by a.published_at, f.id limit ${BATCH} for key share),
          noted as (
            insert into announcement_mails (announcement_id, follower_id) select announcement_id, follower_id from due
            on conflict do nothing returning announcement_id, follower_id)
          select (graphile_worker.add_job('announcement_mail',
                    json_build_object('announcementId', announcement_id, 'followerId', follower_id),
                    queue_name => 'announcement_mails', priority => 10, max_attempts => ${MAIL_ATTEMPTS})).id from noted`,
    )
    return added.length
  }
}
