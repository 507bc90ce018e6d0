import type { Pool } from 'pg'
import { Exact } from './exact.ts'
import type { Limits, Settings } from './model.ts'
import type { ReferralTerms } from './rewards.ts'

interface Row {
  readonly settings: GivenLimits & {
    readonly hardCapUsd: string
    readonly totalSupply: string
    readonly shares: readonly { readonly key: string; readonly percent: string }[]
    readonly soldShare: string
    readonly bonusShare: string
    readonly orderMinimumTokens: string
    readonly expiryMinutes: number
    readonly referral: GivenTerms | null
  }
  readonly mailboxes: readonly string[]
  readonly escrows: readonly { stage: number; coin: string; cap: string; closes: number }[] | null
  readonly price: string
  readonly stages: readonly { id: number; goal: string; starts: number; ends: number; price: string }[]
  readonly coins: readonly {
    code: string
    network: string
    asset: string
    decimals: number
    rate: string
    watched: boolean
  }[]
  readonly chains: readonly {
    name: string
    rules: readonly { belowUsd: string | null; confirmations: number; finalized: boolean }[]
  }[]
}

/** Terms as in the settings. */
export interface GivenTerms {
  readonly percent: string
  readonly mostTokensEach: string
  readonly mostTokens: string
  readonly countriesExcluded: readonly string[]
}

export const termsOf = (given: GivenTerms): ReferralTerms => ({
  percent: Exact.of(given.percent),
  mostEach: Exact.of(given.mostTokensEach),
  most: Exact.of(given.mostTokens),
  excluded: given.countriesExcluded,
})

/** Limits as in the settings; orders keep them from their creation. */
export interface GivenLimits {
  readonly orderMaximumTokens: string
  readonly moneyBackDays?: number
  readonly levels: readonly { readonly threshold: string; readonly bonusPercent: string }[]
}

export const limitsOf = ({ orderMaximumTokens, levels, moneyBackDays }: GivenLimits): Limits => ({
  maximum: Exact.of(orderMaximumTokens),
  moneyBackDays: moneyBackDays ?? 0,
  levels: levels.map(({ threshold, bonusPercent }) => ({
    threshold: Exact.of(threshold),
    percent: Exact.of(bonusPercent),
  })),
})

const at = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`

export async function readSettings(pool: Pool): Promise<Settings> {
  const { rows } = await pool.query<Row>(
    `select settings, price_usd::text as price,
            (select json_agg(json_build_object('id', id, 'goal', goal_usd::text, 'starts', ${at('starts_at')}, 'ends', ${at('ends_at')}, 'price', price_usd::text) order by starts_at) from stages) as stages,
            (select json_agg(json_build_object('code', code, 'network', network, 'asset', coalesce(lower(nullif(token_contract, '')), 'native'), 'decimals', coalesce(coin_decimals, 8), 'rate', rate::text, 'watched', watched)) from currencies) as coins,
            (select json_agg(json_build_object('name', name, 'rules', confirmation_rules)) from chains) as chains,
            (select json_agg(email order by id) from users) as mailboxes,
            (select json_agg(json_build_object('stage', e.stage_id, 'coin', k.code, 'cap', e.cap_tokens::text, 'closes', ${at('e.closes_at')})) from escrows e join currencies k on k.in_escrow and k.network = e.chain) as escrows
       from campaign`,
  )
  const { settings, price, stages, coins, chains, mailboxes, escrows } = rows[0] as Row
  const share = (key: string) => {
    const percent = Exact.of(settings.shares.find((one) => one.key === key)?.percent ?? '0')
    return Exact.of(settings.totalSupply).times(percent).over(Exact.of('100')).rounded(6)
  }
  return {
    referral: settings.referral && termsOf(settings.referral),
    mailboxes,
    escrows: (escrows ?? []).map(({ stage, coin, cap, closes }) => ({
      stage,
      coin,
      cap: Exact.of(cap),
      closesAt: closes,
    })),
    price: Exact.of(price),
    minimum: Exact.of(settings.orderMinimumTokens),
    hardCap: Exact.of(settings.hardCapUsd),
    saleTokens: share(settings.soldShare),
    bonusTokens: share(settings.bonusShare),
    orderMinutes: settings.expiryMinutes,
    limits: limitsOf(settings),
    stages: stages.map(({ id, goal, starts, ends, price: own }) => ({
      id,
      goal: Exact.of(goal),
      startsAt: starts,
      endsAt: ends,
      price: Exact.of(own),
    })),
    coins: new Map(coins.map(({ code, rate, ...coin }) => [code, { ...coin, rate: Exact.of(rate) }])),
    confirmations: new Map(
      chains.map(({ name, rules }) => [
        name,
        rules.map(({ belowUsd, confirmations, finalized }) => ({
          below: belowUsd === null ? null : Exact.of(belowUsd),
          confirmations,
          isFinal: finalized,
        })),
      ]),
    ),
  }
}
