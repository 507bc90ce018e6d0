import type { z } from 'zod'
import type { Holdings } from '../../shared/api/holdings.ts'
import type { leaderboardRow } from '../../shared/api/holdings-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { levelIndexHeld, levelIndexReached, levelProgress } from '../../shared/levels.ts'
import { maskEmail } from '../../shared/mask-email.ts'
import { divide, multiply, sum, writeAmount, writeUsd } from '../../shared/money.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, statement } from '../database/database.ts'

interface HoldingRow {
  purchased_tokens: string
  bonus_tokens: string
  granted_tokens: string
  deposits_usd: string
  usdt_rate: string | null
}

const SHOW = statement(
  'holdings_show',
  `select coalesce(h.purchased_tokens, 0) as purchased_tokens, coalesce(h.bonus_tokens, 0) as bonus_tokens,
          coalesce(h.granted_tokens, 0) as granted_tokens, coalesce(h.deposits_usd, 0) as deposits_usd,
          (select rate from currencies where code = 'USDT' and switched_off_at is null) as usdt_rate
     from users u left join holdings h on h.user_id = u.id where u.id = $1`,
)

const RANKED = `select h.user_id, h.deposits_usd, h.purchased_tokens + h.bonus_tokens + h.granted_tokens as balance, u.email, u.nickname
     from holdings h join users u on u.id = h.user_id
    where h.deposits_usd > 0 and u.shows_on_leaderboard and u.deleted_at is null`

const TOP = statement('leaderboard_top', `${RANKED} order by h.deposits_usd desc, h.user_id limit 100`)
const OWN = statement(
  'leaderboard_own',
  `with own as (${RANKED} and h.user_id = $1)
   select own.*, 1 + (select count(*) from holdings h join users u on u.id = h.user_id
                       where u.shows_on_leaderboard and u.deleted_at is null
                         and (h.deposits_usd > own.deposits_usd or (h.deposits_usd = own.deposits_usd and h.user_id < own.user_id))) as rank
     from own`,
)

interface RankedRow {
  user_id: string
  deposits_usd: string
  balance: string
  email: string
  nickname: string | null
  rank?: string
}

type LeaderboardRow = z.input<typeof leaderboardRow>

export interface HoldingsReader {
  /** What a buyer holds: balance, level and their dollar values. */
  show(userId: string): Promise<Holdings>
  /** Top 100 of those who chose to appear, and the asker's own row when not among them. */
  leaderboard(
    userId: string | null,
  ): Promise<{ items: LeaderboardRow[]; own: LeaderboardRow | null; computedAt: string }>
}

/** The level that a balance holds. */
export function levelOf(settings: CampaignSettings, balance: string) {
  return settings.levels[levelIndexHeld(settings.levels, balance)]
}

export function createHoldingsReader(db: Database, campaign: Campaign): HoldingsReader {
  let top: { at: number; rows: Promise<RankedRow[]> } | undefined

  /** The board is the same for everybody for a second. */
  const topRows = () => {
    if (!top || Date.now() - top.at > 1_000) {
      const rows = db.query<RankedRow>(TOP)
      top = { at: Date.now(), rows }
      rows.catch(() => {
        top = undefined
      })
    }
    return top.rows
  }

  return {
    async show(userId) {
      const [row, { settings, priceUsd }] = await Promise.all([
        db.one<HoldingRow>(SHOW, [userId]),
        campaign.current(),
      ])
      const balance = sum([row.purchased_tokens, row.bonus_tokens, row.granted_tokens])
      const level = levelOf(settings, balance)
      const next = settings.levels[levelIndexReached(settings.levels, balance) + 1]
      return {
        balanceTokens: writeAmount(balance),
        purchasedTokens: writeAmount(row.purchased_tokens),
        bonusTokens: writeAmount(row.bonus_tokens),
        grantedTokens: writeAmount(row.granted_tokens),
        depositsUsd: writeUsd(row.deposits_usd),
        usdtEquivalent: row.usdt_rate && writeUsd(divide(balance, row.usdt_rate)),
        valueAtSalePriceUsd: priceUsd && writeUsd(multiply(balance, priceUsd)),
        levelKey: level?.key ?? '',
        bonusPercent: level?.bonusPercent ?? '0',
        nextLevelKey: next?.key ?? null,
        nextThreshold: next ? writeAmount(next.threshold) : null,
        progressPercent: levelProgress(settings.levels, balance),
      }
    },

    async leaderboard(userId) {
      const [rows, { settings }, own] = await Promise.all([
        topRows(),
        campaign.current(),
        userId ? db.maybeOne<RankedRow>(OWN, [userId]) : undefined,
      ])
      const shown = (row: RankedRow, rank: number): LeaderboardRow => ({
        rank,
        player: row.nickname ?? maskEmail(row.email),
        depositsUsd: writeUsd(row.deposits_usd),
        levelKey: levelOf(settings, row.balance)?.key ?? '',
        own: row.user_id === userId,
      })
      const items = rows.map((row, index) => shown(row, index + 1))
      const isListed = items.some((item) => item.own)
      return {
        items,
        own: own && !isListed ? shown(own, Number(own.rank)) : null,
        computedAt: new Date().toISOString(),
      }
    },
  }
}
