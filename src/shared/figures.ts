import type { PublicCampaign } from './api/campaign.ts'
import { payBackDays } from './campaign-settings.ts'

/** The origin of a figure; `chain`: a node's answer for a block; `site`: counted only by this site. */
export type OriginKind = 'orders' | 'grants' | 'refunds' | 'rounds' | 'price' | 'setting' | 'chain' | 'site'

/** An empty `moment`: no debt. */
export type FigureUnit = 'usd' | 'token' | 'count' | 'percent' | 'moment'

/** The query `select VALUE from ROWS`; `$1` is a stage's id. */
interface Computed {
  readonly unit: FigureUnit
  readonly value: string
  readonly rows: string
}

/**
 * A figure by its name in the API and docs/journal.md, with its formula over journal entries; null if no
 * entry covers it.
 */
export interface Figure {
  readonly name: string
  readonly formula: string | null
  readonly of: OriginKind
}

const TOTALS = 'sale_totals'

/** A sum over approved orders: all, or those of one way of approval. */
interface OrderSum {
  readonly unit: FigureUnit
  readonly value: string
  readonly entries: string
  readonly way?: 'chain' | 'operator'
}

const amountOf = (field: 'usd' | 'base' | 'bonus') => `Σ order.approved.${field} − Σ order.reversed.${field}`
const numberOf = 'N order.approved − N order.reversed'
const added = (columns: string) => `coalesce(sum(${columns}), 0)`

// Rules: WORD-1
/**
 * Sums of the sale, a stage and a day. `sale_totals` has them in the transaction of each approval; `npm run
 * ledger:check` verifies it against the entries.
 */
export const orderSums = {
  raisedUsd: {
    unit: 'usd',
    value: added('raised_on_chain_usd + raised_by_operator_usd'),
    entries: amountOf('usd'),
  },
  raisedOnChainUsd: {
    unit: 'usd',
    value: added('raised_on_chain_usd'),
    entries: amountOf('usd'),
    way: 'chain',
  },
  raisedByOperatorUsd: {
    unit: 'usd',
    value: added('raised_by_operator_usd'),
    entries: amountOf('usd'),
    way: 'operator',
  },
  ordersOnChain: { unit: 'count', value: added('orders_on_chain'), entries: numberOf, way: 'chain' },
  ordersByOperator: { unit: 'count', value: added('orders_by_operator'), entries: numberOf, way: 'operator' },
  purchasedTokens: { unit: 'token', value: added('purchased_tokens'), entries: amountOf('base') },
  bonusTokens: { unit: 'token', value: added('bonus_tokens'), entries: amountOf('bonus') },
} as const satisfies Record<string, OrderSum>
export type OrderSums = Record<keyof typeof orderSums, string>

const formulaOf = ({ entries, way }: OrderSum, stage?: number) =>
  [entries, stage && `stage = ${stage}`, way && `way = ${way}`].filter(Boolean).join(', ')

const RAISED = orderSums.raisedUsd.value
const STAGE = `stages s left join ${TOTALS} t on t.stage_id = s.id`
// Rules: NUM-5
/**
 * Percent of the goal, rounded down, so that 100 means full; two decimals below 1, so that a start is
 * visible.
 */
export const progressPercent = `case when 100 * ${RAISED} < s.goal_usd
       then trim_scale(0.01 * div(10000 * ${RAISED}, s.goal_usd))
       else least(100, div(100 * ${RAISED}, s.goal_usd)) end`

const OWED_REFUNDS = "refunds\n where state not in ('paid', 'written_off')"
const OLDEST_OWED = 'min refund.owed.at, refunds not paid and not written off'
const ALL_TOKENS = 'purchasedTokens + bonusTokens + grantedTokens − Σ round.frozen.tokens'

// Rules: WORD-4, LOG-18
/** Figures on /transparency, in display order. `N` in a name is the current stage's id. */
export const figures = {
  'raised.usd': ofSale(orderSums.raisedUsd),
  'raised.onChainUsd': ofSale(orderSums.raisedOnChainUsd),
  'raised.byOperatorUsd': ofSale(orderSums.raisedByOperatorUsd),
  'raised.takeableUsd': {
    unit: 'usd',
    value: 'coalesce(sum(usd), 0)',
    rows: 'orders_to_take_back()',
    formula: null,
    of: 'site',
  },
  'stages.N.progressPercent': {
    unit: 'percent',
    value: progressPercent,
    rows: `${STAGE}\n where s.id = $1\n group by s.id`,
    formula:
      '⌊100 · stages.N.raisedUsd ÷ stages.N.goalUsd⌋; < 1: ⌊10000 · stages.N.raisedUsd ÷ stages.N.goalUsd⌋ ÷ 100',
    of: 'orders',
  },
  leftTokens: {
    unit: 'token',
    // The rest of the goal, of the hard cap, and of the tokens for sale.
    value: `greatest(0, least(
         0.000001 * div(1000000 * least(k.pool_usd, c.pool_usd), p.price_usd), c.pool_sale_tokens))`,
    rows: 'campaign p, campaign_capacity c, stage_capacity k where k.stage_id = $1',
    formula: null,
    of: 'site',
  },
  'approvedOrders.onChain': ofSale(orderSums.ordersOnChain),
  'approvedOrders.byOperator': ofSale(orderSums.ordersByOperator),
  purchasedTokens: ofSale(orderSums.purchasedTokens),
  bonusTokens: ofSale(orderSums.bonusTokens),
  refundsOwedUsd: {
    unit: 'usd',
    value: 'coalesce(sum(usd), 0)',
    rows: OWED_REFUNDS,
    formula: 'Σ refund.owed.usd + Σ refund.unpaid.usd − Σ refund.paid.usd − Σ refund.written_off.usd',
    of: 'refunds',
  },
  refundsOwedSince: {
    unit: 'moment',
    value: `to_char(min(owed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
    rows: OWED_REFUNDS,
    formula: OLDEST_OWED,
    of: 'refunds',
  },
  refundsOverdueUsd: {
    unit: 'usd',
    value: 'coalesce(sum(usd), 0)',
    rows: `${OWED_REFUNDS} and reason = 'taken_back'
   and owed_at < clock_timestamp() - interval '${payBackDays} days'`,
    formula: null,
    of: 'site',
  },
  grantedTokens: {
    unit: 'token',
    value: 'coalesce(sum(granted_tokens), 0)',
    rows: 'campaign_capacity',
    formula:
      'Σ grant.added.tokens + Σ referral.credited.tokens − Σ grant.reversed.tokens − Σ referral.reversed.tokens',
    of: 'grants',
  },
  allocatedTokens: {
    unit: 'token',
    value: 'coalesce(sum(tokens), 0)',
    rows: 'delivery_round_files',
    formula: 'Σ round.frozen.tokens',
    of: 'rounds',
  },
  heldTokens: {
    unit: 'token',
    value: `coalesce(sum(purchased_tokens + bonus_tokens + granted_tokens
                    - allocated_purchased - allocated_bonus - allocated_granted), 0)`,
    rows: 'holdings',
    formula: ALL_TOKENS,
    of: 'orders',
  },
} as const satisfies Record<string, Computed & Omit<Figure, 'name'>>

export type FigureKey = keyof typeof figures
export const figureKeys = Object.keys(figures) as readonly FigureKey[]

/** `stage` replaces a stage's id. */
export function figureQuery(key: FigureKey, stage = '$1'): string {
  const { value, rows } = figures[key]
  return `select (${value})::text as value\n  from ${rows}`.replaceAll('$1', stage)
}

const sumOf = (key: FigureKey) => `(select ${figures[key].value} from ${figures[key].rows})`

/** Arguments of the SQL function `public_equation`: its lines must add up to these. */
export const equationArguments = `
  ${sumOf('purchasedTokens')},
  ${sumOf('bonusTokens')},
  ${sumOf('grantedTokens')}`

export const isOfStage = (key: FigureKey): boolean => figures[key].rows.includes('$1')

export const nameOfFigure = (key: FigureKey, stage: number | undefined): string =>
  key.replace('.N.', `.${stage}.`)

function ofSale<const Unit extends FigureUnit>(sum: OrderSum & { unit: Unit }) {
  const { unit, value } = sum
  return { unit, value, rows: TOTALS, formula: formulaOf(sum), of: 'orders' } as const
}

const SETTINGS = [
  'totalSupply',
  'shares',
  'hardCapUsd',
  'softCapUsd',
  'orderMinimumTokens',
  'orderMaximumTokens',
  'orderDefaultTokens',
  'levels',
] as const

/** Figures of stages, settings and chains, and those counted only by this site. */
export function otherFigures({
  stage,
  stages,
  settings,
}: Pick<PublicCampaign, 'stage' | 'stages' | 'settings'>): Figure[] {
  const above = new Set(figureKeys.map((key) => nameOfFigure(key, stage?.id)))
  return [
    { name: 'priceUsd', formula: 'priceUsd = price.changed.priceUsd', of: 'price' },
    ...stages.flatMap(({ id }) => ofStage(id)).filter(({ name }) => !above.has(name)),
    ...SETTINGS.filter((name) => name in settings).map((name) => set(`settings.${name}`)),
    ...BESIDE,
  ]
}

const STAGE_SUMS = [
  'raisedUsd',
  'raisedOnChainUsd',
  'raisedByOperatorUsd',
  'purchasedTokens',
  'bonusTokens',
] as const

function ofStage(id: number): Figure[] {
  const { formula, of } = figures['stages.N.progressPercent']
  return [
    ...STAGE_SUMS.map((sum) => ({
      name: `stages.${id}.${sum}`,
      formula: formulaOf(orderSums[sum], id),
      of: 'orders' as const,
    })),
    { name: `stages.${id}.progressPercent`, formula: formula.replaceAll('.N.', `.${id}.`), of },
    set(`stages.${id}.goalUsd`),
    set(`stages.${id}.priceUsd`),
  ]
}

function set(name: string): Figure {
  return { name, formula: `${name} = setting.changed.after`, of: 'setting' }
}

const chain = (name: string, formula: string): Figure => ({ name, formula, of: 'chain' })

const BESIDE: readonly Figure[] = [
  {
    name: 'reserves.refunds.owed',
    formula:
      'Σ refund.owed.amount + Σ refund.unpaid.amount − Σ refund.paid.amount − Σ refund.written_off.amount, by currency',
    of: 'refunds',
  },
  { name: 'reserves.refunds.since', formula: `${OLDEST_OWED}, by currency`, of: 'refunds' },
  chain('reserves.refunds.there', 'Σ balance(address), addresses of orders and declared ones'),
  chain('reserves.refunds.declared', 'Σ balance(address), declared addresses'),
  chain('reserves.round.owed', 'round.frozen.tokens − claimed(distributor)'),
  chain('reserves.round.there', 'token.balanceOf(distributor)'),
  {
    name: 'reserves.undelivered.owed',
    formula: `${ALL_TOKENS}, live rounds − Σ tokens of orders in escrows`,
    of: 'orders',
  },
  chain('reserves.escrow_money.owed', 'owed(asset), said by the escrow'),
  chain('reserves.escrow_money.there', 'balance(escrow), by asset'),
  chain('reserves.escrow_tokens.owed', 'owed(token) − claimed(token), said by the escrow'),
  chain('reserves.escrow_tokens.there', 'token.balanceOf(escrow)'),
  { name: 'rounds.tokens', formula: 'round.frozen.tokens', of: 'rounds' },
  chain('rounds.look', 'token.balanceOf(distributor) + claimed(distributor)'),
  {
    name: 'escrow.orders',
    formula: 'N, Σ tokens and Σ payments of the orders of an escrow, by what became of them',
    of: 'orders',
  },
  {
    name: 'currencies.priced',
    formula: 'N currencies with a rate in force, of those switched on',
    of: 'site',
  },
  { name: 'updates.views', formula: 'N requests of its page', of: 'site' },
]
