import type { z } from 'zod'
import type { OperatorUser } from '../../shared/api/holdings.ts'
import type { grant, ledgerEntry } from '../../shared/api/holdings-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { subtract, sum, writeAmount, writeUsd } from '../../shared/money.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, fragment, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { refuse } from '../refusal.ts'
import {
  openName,
  openPhone,
  type Secrets,
  type StoredText,
  storedName,
  storedPhone,
} from '../secrets/secrets.ts'
import { levelOf } from './holdings.ts'
import { takeableTokens } from './takeable.ts'

interface UserRow {
  id: string
  reference: string
  name: StoredText
  email: string | null
  phone: StoredText
  created_at: Date
  purchased: string
  bonus: string
  granted: string
  deposits: string
  takeable: string
}

const columns = fragment`u.id, u.reference, ${storedName} as name, u.email, ${storedPhone} as phone, u.created_at,
  coalesce(h.purchased_tokens, 0) as purchased, coalesce(h.bonus_tokens, 0) as bonus,
  coalesce(h.granted_tokens, 0) as granted, coalesce(h.deposits_usd, 0) as deposits, ${takeableTokens} as takeable`
const source = fragment`users u left join holdings h on h.user_id = u.id`
const grants = fragment`select p.id, p.user_id, u.email, e.amount, coalesce(p.reason, '') as reason, p.posted_at, o.login,
       r.posted_at as reversed_at
  from postings p join users u on u.id = p.user_id join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
  left join operators o on o.id = p.operator_id left join postings r on r.reverses_id = p.id`
interface GrantRow {
  id: string
  user_id: string
  email: string | null
  amount: string
  reason: string
  posted_at: Date
  login: string | null
  reversed_at: Date | null
}

type Grant = z.input<typeof grant>
type Entry = z.input<typeof ledgerEntry>

export interface UsersFilter {
  readonly search?: string | undefined
  /** `to` is excluded. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type UsersQuery = PageQuery & UsersFilter

export interface OperatorUsersNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly campaign: Campaign
}

export class OperatorUsers {
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #campaign: Campaign
  #counted: { readonly total: Promise<number>; until: number } | undefined

  constructor({ db, secrets, campaign }: OperatorUsersNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#campaign = campaign
  }

  /** Newest first. Matches an exact id or reference, or an e-mail's beginning; days narrow it. */
  async list(query: UsersQuery): Promise<{ items: OperatorUser[]; next: string | null; total: number }> {
    const [rows, total, { settings }] = await Promise.all([
      readUsers(this.#db, query),
      this.#total(),
      this.#campaign.current(),
    ])
    const page = pageOf(rows, query.limit, (row) => operatorUser(this.#secrets, row, settings))
    return { ...page, total }
  }

  /** Up to COUNTED_ANEW_MAX buyers are counted for each page; larger counts are kept for COUNT_KEPT_MS. */
  #total(): Promise<number> {
    if (this.#counted && performance.now() < this.#counted.until) return this.#counted.total
    const mine = { total: countUsers(this.#db), until: 0 }
    this.#counted = mine
    mine.total.then(
      (total) => {
        mine.until = total <= COUNTED_ANEW_MAX ? 0 : performance.now() + COUNT_KEPT_MS
      },
      () => undefined,
    )
    return mine.total
  }

  /** Newest first. */
  async entries(id: string, query: PageQuery): Promise<PageOf<Entry>> {
    const [rows] = await Promise.all([readEntries(this.#db, id, query), this.#expectUser(id)])
    return pageOf(rows, query.limit, entryOf)
  }

  /** Newest first. */
  async grants(id: string, query: PageQuery): Promise<PageOf<Grant>> {
    const [rows] = await Promise.all([
      this.#db.query<GrantRow>(
        sql`${grants} where p.user_id = ${id} and p.kind = 'grant' and p.id < ${idAfter(query)}::bigint
             order by p.id desc limit ${query.limit + 1}`,
      ),
      this.#expectUser(id),
    ])
    return pageOf(rows, query.limit, grantOf)
  }

  async #expectUser(id: string): Promise<void> {
    const known = await this.#db.maybeOne(sql`select 1 from users where id = ${id}`)
    if (!known) refuse('user_unknown')
  }

  async user(id: string): Promise<OperatorUser> {
    const [row, { settings }] = await Promise.all([
      this.#db.maybeOne<UserRow>(sql`select ${columns} from ${source} where u.id = ${id}`),
      this.#campaign.current(),
    ])
    return operatorUser(this.#secrets, row ?? refuse('user_unknown'), settings)
  }

  /** Ignores case. */
  async idByEmail(email: string): Promise<string> {
    const row = await this.#db.maybeOne<{ id: string }>(
      sql`select id from users where email_key = lower(btrim(${email})) and deleted_at is null`,
    )
    return (row ?? refuse('user_unknown')).id
  }

  /** Null for a grant of 0. */
  async granted(
    email: string,
    postingId: string | null,
  ): Promise<{ grant: Grant | null; balanceTokens: string }> {
    const [given, { balanceTokens }] = await Promise.all([
      postingId ? this.grant(postingId) : null,
      this.user(await this.idByEmail(email)),
    ])
    return { grant: given, balanceTokens }
  }

  async grant(postingId: string): Promise<Grant> {
    const row = await this.#db.maybeOne<GrantRow>(
      sql`${grants} where p.id = ${postingId} and p.kind = 'grant'`,
    )
    return grantOf(row ?? refuse('grant_unknown'))
  }
}

const COUNTED_ANEW_MAX = 10_000
const COUNT_KEPT_MS = 10_000

async function countUsers(db: Database): Promise<number> {
  const { count } = await db.one<{ count: string }>(
    sql`select count(*) as count from users where email_key is not null`,
  )
  return Number(count)
}

function readUsers(db: Database, query: UsersQuery): Promise<UserRow[]> {
  const { limit, search, from: since = null, to: until = null } = query
  const from = idAfter(query)
  const rows = limit + 1
  if (!search)
    return db.query<UserRow>(
      sql`select ${columns} from ${source}
           where u.id < ${from} and (${since}::timestamptz is null or u.created_at >= ${since})
             and (${until}::timestamptz is null or u.created_at < ${until})
           order by u.id desc limit ${rows}`,
    )
  return db.transaction(async (tx) => {
    // The cost depends on how many share the prefix.
    await tx.query(sql`set local plan_cache_mode = force_custom_plan`)
    // A common prefix is not read whole.
    return tx.query<UserRow>(
      sql`select ${columns} from ${source} where u.id in (
          (select id from users where id = ${/^\d{1,18}$/.test(search) ? search : null}::bigint and id < ${from})
          union (select id from users where reference = ${search} and id < ${from})
          union (select id from users
                  where email_key ~>=~ lower(${search}) and email_key ~<~ (lower(${search}) || chr(1114111))
                    and id < ${from} and (${since}::timestamptz is null or created_at >= ${since})
                    and (${until}::timestamptz is null or created_at < ${until}) order by id desc limit ${rows}))
           and (${since}::timestamptz is null or u.created_at >= ${since})
           and (${until}::timestamptz is null or u.created_at < ${until})
         order by u.id desc limit ${rows}`,
    )
  })
}

interface EntryRow {
  id: string
  posting_id: string
  kind: string
  order_id: string | null
  account: string
  asset: string
  amount: string
  posted_at: Date
}

const readEntries = (db: Database, userId: string, query: PageQuery) =>
  db.query<EntryRow>(
    sql`select e.id, e.posting_id, p.kind, p.order_id, e.account, e.asset, e.amount, p.posted_at
          from entries e join postings p on p.id = e.posting_id
         where e.user_id = ${userId} and e.id < ${idAfter(query)}::bigint order by e.id desc limit ${query.limit + 1}`,
  )

function entryOf(entry: EntryRow): Entry {
  return {
    id: entry.id,
    posting: entry.posting_id,
    kind: entry.kind,
    orderId: entry.order_id === null ? null : Number(entry.order_id),
    account: entry.account,
    asset: entry.asset,
    amount: entry.amount,
    at: entry.posted_at.toISOString(),
  }
}

function operatorUser(secrets: Secrets, row: UserRow, settings: CampaignSettings): OperatorUser {
  const balance = sum([row.purchased, row.bonus, row.granted])
  return {
    id: Number(row.id),
    reference: row.reference,
    name: openName(secrets, row),
    email: row.email ?? '',
    phone: openPhone(secrets, row),
    balanceTokens: writeAmount(balance),
    bonusTokens: writeAmount(row.bonus),
    grantedTokens: writeAmount(row.granted),
    purchasedTokens: writeAmount(row.purchased),
    depositsUsd: writeUsd(row.deposits),
    levelKey: levelOf(settings, subtract(balance, row.takeable))?.key ?? '',
    registeredAt: row.created_at.toISOString(),
  }
}

function grantOf(row: GrantRow): Grant {
  return {
    id: row.id,
    userId: Number(row.user_id),
    email: row.email ?? '',
    amount: writeAmount(row.amount),
    reason: row.reason,
    at: row.posted_at.toISOString(),
    operator: row.login,
    reversedAt: row.reversed_at?.toISOString() ?? null,
  }
}
