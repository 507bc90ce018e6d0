import type { PublicCampaign } from './api/campaign.ts'

/** Which entries a figure follows from; `chain`: what a node answered for a block; `site`: what this site alone counts. */
export type OriginKind = 'orders' | 'grants' | 'refunds' | 'rounds' | 'price' | 'setting' | 'chain' | 'site'

/** A public figure in the terms of docs/journal.md. */
export interface JournalFigure {
  readonly name: string
  /** In the fields of entries; the same in every language. */
  readonly formula: string
  readonly of: OriginKind
}

/** The settings whose values public pages show. */
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

const orders = (name: string, field: string, where = ''): JournalFigure => ({
  name,
  formula: `Σ order.approved.${field} − Σ order.reversed.${field}${where && `, ${where}`}`,
  of: 'orders',
})

const set = (name: string): JournalFigure => ({
  name,
  formula: `${name} = setting.changed.after`,
  of: 'setting',
})

/** Every figure of public pages that follows from the journal. */
export function journalFigures({
  stages,
  settings,
}: Pick<PublicCampaign, 'stages' | 'settings'>): JournalFigure[] {
  return [
    orders('raised.usd', 'usd'),
    orders('raised.onChainUsd', 'usd', 'way = chain'),
    orders('raised.byOperatorUsd', 'usd', 'way = operator'),
    orders('purchasedTokens', 'base'),
    orders('bonusTokens', 'bonus'),
    {
      name: 'approvedOrders.onChain',
      formula: 'N order.approved − N order.reversed, way = chain',
      of: 'orders',
    },
    {
      name: 'approvedOrders.byOperator',
      formula: 'N order.approved − N order.reversed, way = operator',
      of: 'orders',
    },
    {
      name: 'grantedTokens',
      formula:
        'Σ grant.added.tokens + Σ referral.credited.tokens − Σ grant.reversed.tokens − Σ referral.reversed.tokens',
      of: 'grants',
    },
    {
      name: 'refundsOwedUsd',
      formula: 'Σ refund.owed.usd + Σ refund.unpaid.usd − Σ refund.paid.usd − Σ refund.written_off.usd',
      of: 'refunds',
    },
    { name: 'refundsOwedSince', formula: oldestOwed, of: 'refunds' },
    { name: 'allocatedTokens', formula: 'Σ round.frozen.tokens', of: 'rounds' },
    { name: 'priceUsd', formula: 'priceUsd = price.changed.priceUsd', of: 'price' },
    ...stages.flatMap(({ id }) => ofStage(`stages.${id}`, id)),
    ...SETTINGS.filter((name) => name in settings).map((name) => set(`settings.${name}`)),
    ...BESIDE,
  ]
}

const oldestOwed = 'min refund.owed.at, refunds not paid and not written off'

const chain = (name: string, formula: string): JournalFigure => ({ name, formula, of: 'chain' })

/** What stands beside the sale's own figures: what is owed and there, and what is counted by nobody but this site. */
const BESIDE: readonly JournalFigure[] = [
  {
    name: 'solvency.refunds.owed',
    formula:
      'Σ refund.owed.amount + Σ refund.unpaid.amount − Σ refund.paid.amount − Σ refund.written_off.amount, by currency',
    of: 'refunds',
  },
  { name: 'solvency.refunds.since', formula: `${oldestOwed}, by currency`, of: 'refunds' },
  chain('solvency.refunds.there', 'Σ balance(address), addresses of orders and declared ones'),
  chain('solvency.refunds.declared', 'Σ balance(address), declared addresses'),
  chain('solvency.round.owed', 'round.frozen.tokens − claimed(distributor)'),
  chain('solvency.round.there', 'token.balanceOf(distributor)'),
  {
    name: 'solvency.undelivered.owed',
    formula: 'purchasedTokens + bonusTokens + grantedTokens − Σ round.frozen.tokens, live rounds',
    of: 'orders',
  },
  chain('solvency.escrow_money.owed', 'owed(asset), said by the escrow'),
  chain('solvency.escrow_money.there', 'balance(escrow), by asset'),
  chain('solvency.escrow_tokens.owed', 'owed(token), said by the escrow'),
  chain('solvency.escrow_tokens.there', 'token.balanceOf(escrow)'),
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

function ofStage(stage: string, id: number): JournalFigure[] {
  return [
    orders(`${stage}.raisedUsd`, 'usd', `stage = ${id}`),
    orders(`${stage}.raisedOnChainUsd`, 'usd', `stage = ${id}, way = chain`),
    orders(`${stage}.raisedByOperatorUsd`, 'usd', `stage = ${id}, way = operator`),
    {
      name: `${stage}.progressPercent`,
      formula: `⌊100 · ${stage}.raisedUsd ÷ ${stage}.goalUsd⌋; < 1: ⌊10000 · ${stage}.raisedUsd ÷ ${stage}.goalUsd⌋ ÷ 100`,
      of: 'orders',
    },
    set(`${stage}.goalUsd`),
    set(`${stage}.priceUsd`),
  ]
}
