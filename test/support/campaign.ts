import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { Campaign } from '../../src/server/campaign/campaign.ts'
import { type Database, sql } from '../../src/server/database/database.ts'
import { deliveryRules } from '../../src/server/delivery/check.ts'
import { seedCampaign } from '../../src/server/demo/seed.ts'
import { journalRules } from '../../src/server/journal/check.ts'
import { checkLedger, ledgerRules } from '../../src/server/ledger/check.ts'
import { Orders } from '../../src/server/orders/orders.ts'
import { Pricing } from '../../src/server/orders/pricing.ts'
import { paymentRules, sealedRules } from '../../src/server/payments/check.ts'
import { referralRules } from '../../src/server/referral/check.ts'
import { shareOf } from '../../src/shared/campaign-settings.ts'
import { decideOn, quietUnits } from './actions.ts'
import { withTestDatabase } from './database.ts'
import { forceDetail } from './forced-detail.ts'
import { testSecrets } from './secrets.ts'
import { statement } from './statement.ts'

export interface SaleOptions {
  batching?: boolean
}

/** Adds the demo campaign to an empty database. */
export async function openSale(db: Database, { batching = false }: SaleOptions = {}) {
  await seedCampaign(db, true)
  const units = quietUnits(db)
  const campaign = new Campaign({ db, units })
  const hintOutbox = () => {}
  const payments = { ofOrder: async () => ({ payments: [], others: null }) }
  const pricing = new Pricing({ db, applyStagePrice: async () => {} })
  const reserveAddress = () => Promise.reject(new Error('no watched currency in this test'))
  return {
    db,
    campaign,
    pricing,
    orders: new Orders({
      db,
      campaign,
      units,
      payments,
      pricing,
      reserveAddress,
      batching,
      hintOutbox,
    }),
    units,
    ledger: decideOn(db, { batching }),
  }
}

export type Sale = Awaited<ReturnType<typeof openSale>>

/** Also backdates orders and payments before it. */
export const endSale = (db: Database, ago = '24 hours') =>
  db.query(
    sql`update stages set starts_at = clock_timestamp() - interval '90 days', ends_at = clock_timestamp() - ${ago}::interval`,
  )

/** Runs `work` on a demo sale of its own, then checks the rules of the ledger. */
export function withSale(work: (sale: Sale) => Promise<void>, options: SaleOptions = {}): Promise<void> {
  return withTestDatabase(
    async ({ db }) => {
      await work(await openSale(db, options))
      expect(await brokenRules(db)).toEqual([])
    },
    { holds: 'demo' },
  )
}

const ADD_BUYER = statement(
  'test_add_buyer',
  "insert into users (email, email_key, name, phone, password_hash) values ($1, $1, 'A Buyer', '+10000000', 'x') returning id",
)
const ADD_OPERATOR = statement(
  'test_add_operator',
  'insert into operators (login, role) values ($1, $2) returning id',
)

/** The address begins with a letter, so that no search for a number finds it. */
export async function addBuyer(db: Database): Promise<string> {
  return (await db.one<{ id: string }>(ADD_BUYER, [`buyer-${randomBytes(6).toString('hex')}@example.org`])).id
}

export async function addOperator(db: Database, role = 'finance'): Promise<string> {
  return (await db.one<{ id: string }>(ADD_OPERATOR, [`op-${randomBytes(4).toString('hex')}`, role])).id
}

export const declared = { acceptTerms: true, ageConfirmed: true } as const

/** Reports the payment as sent. */
export async function buy(
  sale: Sale,
  userId: string,
  tokens: string,
  currency = 'USDT',
  idempotencyKey?: string,
) {
  return sale.orders.create({
    userId,
    purchase: { currency, amount: tokens, unit: 'token' },
    declarations: { ...declared, country: 'DE' },
    isSent: true,
    idempotencyKey,
    requestHash: Buffer.from(tokens),
  })
}

/** All rules but those of delivery and referrals. */
export const rules = [...ledgerRules, ...paymentRules, ...journalRules, ...sealedRules(testSecrets)]

/** Broken rules of ledger, payments and delivery. */
export async function brokenRules(db: Database) {
  const broken = await db.transaction(
    (tx) => checkLedger(tx, [...rules, ...deliveryRules, ...referralRules]),
    {
      isolation: 'repeatable read',
      readOnly: true,
    },
  )
  return broken.map(({ rule, rows }) => ({ rule: rule.name, rows }))
}

const BUY_HALF = statement(
  'test_buy_half',
  `update orders set asked = row(
     2 * base_tokens, 2 * bonus_tokens, bonus_percent, 2 * usd, 2 * crypto_amount, rate)::order_amounts
    where id = $1 and status = 'approved'`,
)

/** Makes the order half of a larger one, whose rest may still come. */
export async function makeHalfBought(db: Database, number: number): Promise<void> {
  await db.query(BUY_HALF, [number])
  await forceDetail(db, number, 'underpaid')
}

const SET_GOAL = statement('test_set_goal', 'update stages set goal_usd = $1')
const SET_CAPACITY = statement('test_set_capacity', 'select set_capacity($1, $2, $3)')

export async function setGoal(sale: Pick<Sale, 'db' | 'campaign'>, goalUsd: string): Promise<void> {
  const { settings } = await sale.campaign.current()
  await sale.db.transaction(async (tx) => {
    await tx.query(SET_GOAL, [goalUsd])
    await tx.query(SET_CAPACITY, [
      settings.hardCapUsd,
      shareOf(settings, settings.soldShare),
      shareOf(settings, settings.bonusShare),
    ])
  })
}

/** Runs `work` while no level has a bonus, so that grants may use the whole bonus share. */
export async function withoutBonus<T>({ db }: Pick<Sale, 'db'>, work: () => Promise<T>): Promise<T> {
  const { settings } = await db.one<{ settings: object }>(sql`select settings from campaign`)
  await db.query(
    sql`update campaign set settings = jsonb_set(settings, '{levels}', (
          select jsonb_agg(level || '{"bonusPercent": "0"}') from jsonb_array_elements(settings -> 'levels') level))`,
  )
  const result = await work()
  await db.query(sql`update campaign set settings = ${JSON.stringify(settings)}::jsonb`)
  return result
}
