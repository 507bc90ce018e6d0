import type { z } from 'zod'
import type { Holdings } from '../../shared/api/holdings.ts'
import type { leaderboardRow } from '../../shared/api/holdings-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { levelIndexHeld, levelIndexReached, levelProgress } from '../../shared/levels.ts'
import { maskEmail } from '../../shared/mask-email.ts'
import { divide, multiply, subtract, sum, writeAmount, writeUsd } from '../../shared/money.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, fragment, sql } from '../database/database.ts'
import { takeableByBuyer, takeableTokens } from './takeable.ts'

interface HoldingRow {
  purchased_tokens: string
  bonus_tokens: string
  granted_tokens: string
  deposits_usd: string
  takeable_tokens: string
  usdt_rate: string | null
}

const ranked = fragment`select h.user_id, h.deposits_usd - coalesce(b.usd, 0) as deposits_usd,
       h.purchased_tokens + h.bonus_tokens + h.granted_tokens - coalesce(b.tokens, 0) as balance, u.email, u.nickname
  from holdings h join users u on u.id = h.user_id left join takeable b on b.user_id = h.user_id
 where h.deposits_usd > coalesce(b.usd, 0) and u.shows_on_leaderboard and u.deleted_at is null`

interface RankedRow {
  user_id: string
  deposits_usd: string
  balance: string
  email: string
  nickname: string | null
  rank?: string
}

type LeaderboardRow = z.input<typeof leaderboardRow>

// Rules: WORD-2, WORD-3, BACK-3, BOARD-1
export function levelOf(settings: CampaignSettings, balance: string) {
  return settings.levels[levelIndexHeld(settings.levels, balance)]
}

export interface HoldingsReaderNeeds {
  readonly db: Database
  readonly campaign: Campaign
}

export class HoldingsReader {
  readonly #db: Database
  readonly #campaign: Campaign
  #top: { at: number; rows: Promise<RankedRow[]> } | undefined

  constructor({ db, campaign }: HoldingsReaderNeeds) {
    this.#db = db
    this.#campaign = campaign
  }

  async show(userId: string): Promise<Holdings> {
    const [row, { settings, priceUsd }] = await Promise.all([
      readHolding(this.#db, userId),
      this.#campaign.current(),
    ])
    const balance = sum([row.purchased_tokens, row.bonus_tokens, row.granted_tokens])
    const counting = subtract(balance, row.takeable_tokens)
    const level = levelOf(settings, counting)
    const next = settings.levels[levelIndexReached(settings.levels, counting) + 1]
    return {
      balanceTokens: writeAmount(balance),
      purchasedTokens: writeAmount(row.purchased_tokens),
      bonusTokens: writeAmount(row.bonus_tokens),
      grantedTokens: writeAmount(row.granted_tokens),
      depositsUsd: writeUsd(row.deposits_usd),
      takeableTokens: writeAmount(row.takeable_tokens),
      usdtEquivalent: row.usdt_rate && writeUsd(divide(balance, row.usdt_rate)),
      valueAtSalePriceUsd: priceUsd && writeUsd(multiply(balance, priceUsd)),
      levelKey: level?.key ?? '',
      bonusPercent: level?.bonusPercent ?? '0',
      nextLevelKey: next?.key ?? null,
      nextThreshold: next ? writeAmount(next.threshold) : null,
      progressPercent: levelProgress(settings.levels, counting),
    }
  }

  /** The top 100 who opted in, and the caller's row if not among them. */
  async leaderboard(
    userId: string | null,
  ): Promise<{ items: LeaderboardRow[]; own: LeaderboardRow | null; computedAt: string }> {
    const [rows, { settings }, own] = await Promise.all([
      this.#topRows(),
      this.#campaign.current(),
      userId ? readOwnRank(this.#db, userId) : undefined,
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
  }

  /** Cached for a second. */
  #topRows(): Promise<RankedRow[]> {
    if (!this.#top || !isYoungerThan(1_000, this.#top.at)) {
      // Index order serves buyers without orders to take back; the few others are added.
      const rows = this.#db.query<RankedRow>(
        sql`with takeable as materialized (${takeableByBuyer})
            select * from ((${ranked} and b.user_id is null order by h.deposits_usd desc, h.user_id limit 100)
                           union all (${ranked} and b.user_id is not null)) r
             order by r.deposits_usd desc, r.user_id limit 100`,
      )
      this.#top = { at: Date.now(), rows }
      rows.catch(() => {
        this.#top = undefined
      })
    }
    return this.#top.rows
  }
}

function readHolding(db: Database, userId: string): Promise<HoldingRow> {
  return db.one<HoldingRow>(
    sql`select coalesce(h.purchased_tokens, 0) as purchased_tokens, coalesce(h.bonus_tokens, 0) as bonus_tokens,
               coalesce(h.granted_tokens, 0) as granted_tokens, coalesce(h.deposits_usd, 0) as deposits_usd,
               ${takeableTokens} as takeable_tokens,
               (select rate from currencies where code = 'USDT' and switched_off_at is null) as usdt_rate
          from users u left join holdings h on h.user_id = u.id where u.id = ${userId}`,
  )
}

function readOwnRank(db: Database, userId: string): Promise<RankedRow | undefined> {
  return db.maybeOne<RankedRow>(
    sql`with takeable as materialized (${takeableByBuyer}), own as (${ranked} and h.user_id = ${userId})
        select own.*, 1 + (select count(*) from (${ranked} and h.deposits_usd >= own.deposits_usd) r
                            where (r.deposits_usd, own.user_id) > (own.deposits_usd, r.user_id)) as rank
          from own`,
  )
}
