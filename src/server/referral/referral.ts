import { randomBytes } from 'node:crypto'
import type { OwnReferral } from '../../shared/api/referral.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { trimZeros } from '../../shared/money.ts'
import { isReferralCode, type ReferralRefusal, referralRules } from '../../shared/referral.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { RetryableError, refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Orders decided in one run, in one transaction each. */
const DECIDED_MAX = 200

export interface ReferralNeeds {
  readonly db: Database
  readonly secrets: Pick<Secrets, 'macs'>
  hintOutbox(): void
}

/** `functions/referral` has the rules. */
export class Referral {
  readonly #db: Database
  readonly #secrets: Pick<Secrets, 'macs'>
  readonly #hintOutbox: () => void

  constructor({ db, secrets, hintOutbox }: ReferralNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#hintOutbox = hintOutbox
  }

  show(userId: string): Promise<OwnReferral> {
    return readOwn(this.#db, userId)
  }

  /** Once. */
  async join(userId: string, country: string): Promise<OwnReferral> {
    const { settings } = await this.#db.one<{ settings: Pick<CampaignSettings, 'referral'> }>(
      sql`select settings from campaign`,
    )
    const terms = settings.referral ?? refuse('referral_closed')
    if (terms.countriesExcluded.includes(country)) refuse('country_refused')
    await this.#db.query(
      sql`insert into referral_links (user_id, code, country) values (${userId}, ${newCode()}, ${country})
          on conflict (user_id) do nothing`,
    )
    return readOwn(this.#db, userId)
  }

  /** True if the link's owner exists and the programme is on. */
  async leads(code: string): Promise<boolean> {
    if (!isReferralCode(code)) return false
    const found = await this.#db.maybeOne(
      sql`select from referral_links l join users u on u.id = l.user_id and u.deleted_at is null, referral_terms() t
           where l.code = ${code} and t.percent is not null`,
    )
    return found !== undefined
  }

  // Rules: REFER-2
  /** In the transaction that creates the account, under the terms of now; ignores a code that does not lead. */
  async note(tx: Queryable, userId: string, code: string | undefined): Promise<void> {
    if (!isReferralCode(code)) return
    await tx.query(
      sql`insert into referrals (friend_id, referrer_id, percent, most_tokens_each, most_tokens, countries_excluded)
          select ${userId}, l.user_id, t.percent, t."mostTokensEach", t."mostTokens", t."countriesExcluded"
            from referral_links l join users u on u.id = l.user_id and u.deleted_at is null, referral_terms() t
           where l.code = ${code} and t.percent is not null and l.user_id < ${userId}
          on conflict (friend_id) do nothing`,
    )
  }

  // Rules: REFER-6
  /**
   * `kept`: the browser's stored value. Returns the new one; null while there are no rewards, so that no
   * cookie is set.
   */
  async noteDevice(userId: string, kept: string | undefined): Promise<string | null> {
    const value = /^[\w-]{22}$/.test(kept ?? '') && kept ? kept : randomBytes(16).toString('base64url')
    const noted = await this.#db.query(
      sql`insert into user_devices (user_id, mark)
          select ${userId}, mark from unnest(${this.#secrets.macs('device', value)}::bytea[]) mark, referral_terms() t
           where t.percent is not null
          on conflict (user_id, mark) do update set last_seen_at = clock_timestamp() returning mark`,
    )
    return noted.length > 0 ? value : null
  }

  /** One order's failure is thrown at the end and blocks no others. */
  async decideDue(): Promise<number> {
    const due = await this.#db.query<{ id: string }>(
      sql`select o.id from referrals r join orders o on o.user_id = r.friend_id
           where o.status = 'approved' and o.base_tokens > decided_base(o.id)
             and base_for_reward(o, ${referralRules.handDays}) > decided_base(o.id)
           order by o.approved_at, o.id limit ${DECIDED_MAX}`,
    )
    const faults: unknown[] = []
    for (const { id } of due)
      await this.#db
        .query(sql`select decide_referral(${id}, ${referralRules.handDays})`)
        .catch((error: unknown) => {
          // Without a database the others would fail too.
          if (error instanceof RetryableError) throw error
          faults.push(error)
        })
    const decided = due.length - faults.length
    if (decided > 0) this.#hintOutbox()
    if (faults.length > 1) throw new AggregateError(faults, 'several orders of friends could not be decided')
    if (faults.length > 0) throw faults[0]
    return decided
  }

  /** Reverses rewards whose two accounts turned out to be one person's. */
  async lookAgain(): Promise<number> {
    const { taken } = await this.#db.one<{ taken: number }>(sql`select look_at_referrals() as taken`)
    if (taken > 0) this.#hintOutbox()
    return taken
  }

  /** Newest first; `after` is the previous page's `next`. */
  async decisions({ after, limit }: { after?: string | undefined; limit: number }) {
    const before = /^\d{1,18}$/.test(after ?? '') ? after : null
    const rows = await this.#db.query<DecisionRow>(
      sql`select d.id, d.order_id, d.referrer_id, b.reference as referrer, o.user_id as friend_id, f.reference as friend,
                 e.amount as tokens, coalesce(d.refusal, w.refusal) as refusal, d.decided_at, p.posted_at as reversed_at, k.posting_id is not null and o.status <> 'approved' as is_kept
            from referral_decisions d
            join orders o on o.id = d.order_id
            join users b on b.id = d.referrer_id
            join users f on f.id = o.user_id
            left join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
            left join postings p on p.reverses_id = d.posting_id
            left join delivery_round_parts k on k.posting_id = d.posting_id
            left join referrals_found w on w.friend_id = o.user_id and p.id is not null
           where ${before}::bigint is null or d.id < ${before}::bigint
           order by d.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit)
    const last = items.at(-1)
    return {
      items: items.map(decisionOf),
      next: rows.length > limit && last ? last.id : null,
    }
  }
}

interface DecisionRow {
  id: string
  order_id: string
  referrer_id: string
  referrer: string
  friend_id: string
  friend: string
  tokens: string | null
  refusal: ReferralRefusal | null
  decided_at: Date
  reversed_at: Date | null
  is_kept: boolean
}

const decisionOf = (row: DecisionRow) => ({
  orderId: Number(row.order_id),
  referrerId: Number(row.referrer_id),
  referrer: row.referrer,
  friendId: Number(row.friend_id),
  friend: row.friend,
  tokens: row.tokens && trimZeros(row.tokens),
  refusal: row.refusal,
  at: row.decided_at.toISOString(),
  reversedAt: row.reversed_at?.toISOString() ?? null,
  isKept: row.is_kept,
})

async function readOwn(db: Queryable, userId: string): Promise<OwnReferral> {
  const row = await db.one<{
    code: string | null
    friends: number
    waiting: number
    credited: number
    taken_back: number
    tokens: string
    refused: OwnReferral['refused']
  }>(
    sql`select (select code from referral_links where user_id = ${userId}) as code,
               (select count(*)::int from referrals where referrer_id = ${userId}) as friends,
               (select count(*)::int from referrals r join orders o on o.user_id = r.friend_id
                 where r.referrer_id = ${userId} and o.status = 'approved' and o.base_tokens > decided_base(o.id)) as waiting,
               (select count(distinct d.order_id)::int from referral_decisions d
                 where d.referrer_id = ${userId} and d.posting_id is not null
                   and not exists (select from postings where reverses_id = d.posting_id)) as credited,
               (select count(distinct d.order_id)::int from referral_decisions d join postings p on p.reverses_id = d.posting_id
                  join orders o on o.id = d.order_id
                 where d.referrer_id = ${userId}
                   and not exists (select from referrals_found where friend_id = o.user_id)) as taken_back,
               (select coalesce(sum(e.amount), 0) from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
                 where p.user_id = ${userId} and p.kind in ('referral', 'referral_reversed')) as tokens,
               (select coalesce(json_agg(json_build_object('refusal', refusal, 'orders', orders)), '[]')
                  from (select coalesce(d.refusal, w.refusal) as refusal, count(distinct d.order_id) as orders
                          from referral_decisions d
                          join orders o on o.id = d.order_id
                          left join postings v on v.reverses_id = d.posting_id
                          left join referrals_found w on w.friend_id = o.user_id and v.id is not null
                         where d.referrer_id = ${userId} and num_nonnulls(d.refusal, w.refusal) = 1
                         group by 1 order by 1) r) as refused`,
  )
  return {
    code: row.code,
    friends: row.friends,
    waitingOrders: row.waiting,
    creditedOrders: row.credited,
    takenBackOrders: row.taken_back,
    creditedTokens: trimZeros(row.tokens),
    refused: row.refused,
  }
}

/** 50 random bits in base 32, easy to read aloud. */
function newCode(): string {
  return Array.from(randomBytes(10), (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte & 31]).join('')
}
