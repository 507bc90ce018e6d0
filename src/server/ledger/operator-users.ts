import type { z } from 'zod'
import type { OperatorUser } from '../../shared/api/holdings.ts'
import type { grant, ledgerEntry } from '../../shared/api/holdings-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { sum, writeAmount, writeUsd } from '../../shared/money.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { levelOf } from './holdings.ts'

interface UserRow {
  id: string
  reference: string
  name: string
  email: string | null
  phone: string | null
  created_at: Date
  purchased: string
  bonus: string
  granted: string
  deposits: string
}

const COLUMNS = `u.id, u.reference, u.name, u.email, u.phone, u.created_at, coalesce(h.purchased_tokens, 0) as purchased,
  coalesce(h.bonus_tokens, 0) as bonus, coalesce(h.granted_tokens, 0) as granted, coalesce(h.deposits_usd, 0) as deposits`
const FROM = 'users u left join holdings h on h.user_id = u.id'

const LIST = statement(
  'operator_user_list',
  `select ${COLUMNS} from ${FROM} where u.id < $1 order by u.id desc limit $2`,
)
/** Each branch is cut to a page, so that a prefix which many share is not read whole. */
const SEARCH = statement(
  'operator_user_search',
  `select ${COLUMNS} from ${FROM} where u.id in (
     (select id from users where id::text = $3 and id < $1)
     union (select id from users where reference = $3 and id < $1)
     union (select id from users where email_key ~>=~ lower($3) and email_key ~<~ (lower($3) || chr(1114111)) and id < $1 order by id desc limit $2))
    order by u.id desc limit $2`,
)
const COUNT = statement('operator_user_count', 'select count(*) as count from users')
const SHOW = statement('operator_user_show', `select ${COLUMNS} from ${FROM} where u.id = $1`)
const FIND_BY_EMAIL = statement(
  'operator_user_find',
  'select id from users where email_key = lower(btrim($1)) and deleted_at is null',
)
const GRANT_COLUMNS = `p.id, p.user_id, u.email, e.amount, coalesce(p.reason, '') as reason, p.posted_at, o.login, r.posted_at as reversed_at
     from postings p join users u on u.id = p.user_id join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
     left join operators o on o.id = p.operator_id left join postings r on r.reverses_id = p.id`
const GRANTS = statement(
  'operator_user_grants',
  `select ${GRANT_COLUMNS} where p.user_id = $1 and p.kind = 'grant' order by p.id desc limit 200`,
)
const GRANT = statement('operator_grant_show', `select ${GRANT_COLUMNS} where p.id = $1 and p.kind = 'grant'`)
const ENTRIES = statement(
  'operator_user_entries',
  `select e.id, e.posting_id, p.kind, p.order_id, e.account, e.asset, e.amount, p.posted_at
     from entries e join postings p on p.id = e.posting_id where e.user_id = $1 order by e.id desc limit 200`,
)

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

export interface OperatorUsers {
  list(query: {
    after?: string | undefined
    limit: number
    search?: string | undefined
  }): Promise<{ items: OperatorUser[]; next: string | null; total: number }>
  show(id: string): Promise<OperatorUser & { grants: Grant[]; entries: Entry[] }>
  /** Id of the buyer with this e-mail, compared without case; user_unknown otherwise. */
  idByEmail(email: string): Promise<string>
  grant(postingId: string): Promise<Grant>
  user(id: string): Promise<OperatorUser>
}

export function createOperatorUsers(db: Database, campaign: Campaign): OperatorUsers {
  const user = async (id: string) => {
    const [row, { settings }] = await Promise.all([db.maybeOne<UserRow>(SHOW, [id]), campaign.current()])
    return operatorUser(row ?? refuse('user_unknown'), settings)
  }
  return {
    user,

    async list({ after, limit, search }) {
      const from = after && /^\d{1,18}$/.test(after) ? after : '9223372036854775807'
      const [rows, count, { settings }] = await Promise.all([
        search
          ? db.query<UserRow>(SEARCH, [from, limit + 1, search])
          : db.query<UserRow>(LIST, [from, limit + 1]),
        db.one<{ count: string }>(COUNT),
        campaign.current(),
      ])
      const items = rows.slice(0, limit)
      return {
        items: items.map((row) => operatorUser(row, settings)),
        next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
        total: Number(count.count),
      }
    },

    async show(id) {
      const [shown, grants, entries] = await Promise.all([
        user(id),
        db.query<GrantRow>(GRANTS, [id]),
        db.query<{
          id: string
          posting_id: string
          kind: string
          order_id: string | null
          account: string
          asset: string
          amount: string
          posted_at: Date
        }>(ENTRIES, [id]),
      ])
      return {
        ...shown,
        grants: grants.map(grantOf),
        entries: entries.map((entry) => ({
          id: entry.id,
          posting: entry.posting_id,
          kind: entry.kind,
          orderId: entry.order_id === null ? null : Number(entry.order_id),
          account: entry.account,
          asset: entry.asset,
          amount: entry.amount,
          at: entry.posted_at.toISOString(),
        })),
      }
    },

    async idByEmail(email) {
      const row = (await db.maybeOne<{ id: string }>(FIND_BY_EMAIL, [email])) ?? refuse('user_unknown')
      return row.id
    },

    async grant(postingId) {
      return grantOf((await db.maybeOne<GrantRow>(GRANT, [postingId])) ?? refuse('grant_unknown'))
    },
  }
}

function operatorUser(row: UserRow, settings: CampaignSettings): OperatorUser {
  const balance = sum([row.purchased, row.bonus, row.granted])
  return {
    id: Number(row.id),
    reference: row.reference,
    name: row.name,
    email: row.email ?? '',
    phone: row.phone,
    balanceTokens: writeAmount(balance),
    bonusTokens: writeAmount(row.bonus),
    grantedTokens: writeAmount(row.granted),
    purchasedTokens: writeAmount(row.purchased),
    depositsUsd: writeUsd(row.deposits),
    levelKey: levelOf(settings, balance)?.key ?? '',
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
