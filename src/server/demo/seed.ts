import { legalKinds } from '../../shared/api/content.ts'
import { type CampaignSettings, shareOf } from '../../shared/campaign-settings.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { unnamedToken } from '../../shared/sale-readiness.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { assert } from '../refusal.ts'
import { seedAnnouncement } from './announce.ts'
import { demoCurrencies, demoPriceUsd, demoSettings, demoStage } from './demo-campaign.ts'
import { demoLegalText } from './demo-texts.ts'

const LOCK = statement('seed_lock', "select pg_advisory_xact_lock(hashtext('seed'))")
const EXISTS = statement('seed_exists', 'select 1 from campaign')
const INSERT_CAMPAIGN = statement(
  'seed_campaign',
  'insert into campaign (settings, price_usd, is_demo) values ($1, $2, $3)',
)
const INSERT_STAGE = statement(
  'seed_stage',
  `insert into stages (name, goal_usd, price_usd, starts_at, ends_at, price_applied_at)
   values ($1, $2, $3, clock_timestamp(),
           (date_trunc('day', clock_timestamp() at time zone 'UTC') + make_interval(days => $4, hours => $5)) at time zone 'UTC', clock_timestamp())`,
)
const INSERT_PRICE = statement(
  'seed_price',
  `insert into price_changes (price_usd, reason) values ($1, 'first price')`,
)
const INSERT_CURRENCY = statement(
  'seed_currency',
  `with added as (
     insert into currencies (code, full_name, network, address, erc20, rate, price_id, position) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id)
   insert into currency_rates (currency_id, rate, price_usd, reason) select id, $6, $9, 'demo rate' from added`,
)
const INSERT_LEGAL = statement(
  'seed_legal',
  'insert into legal_texts (kind, version, body) values ($1, 1, $2)',
)
const SET_CAPACITY = statement('set_capacity', 'select set_capacity($1, $2, $3) as refusal')

/** An empty campaign, which can't sell: the owner fills it in behind the login. Neutral figures that make sense together. */
export const emptySettings: CampaignSettings = {
  ...demoSettings,
  ...unnamedToken,
  tagline: { en: '', ru: '' },
  seller: { name: '', address: '', contact: '', country: '' },
  hardCapUsd: '1000000',
  softCapUsd: '100000',
  levels: demoSettings.levels.map((level) => ({ ...level, description: { en: '', ru: '' }, perks: [] })),
  delivery: { network: '', tokenContract: null, date: null, vesting: { en: '', ru: '' } },
}

/** Puts goals, caps and shares in force; refused limits come back by code. */
export async function putCapacityInForce(tx: Queryable, settings: CampaignSettings): Promise<string | null> {
  const { refusal } = await tx.one<{ refusal: string | null }>(SET_CAPACITY, [
    settings.hardCapUsd,
    shareOf(settings, settings.soldShare),
    shareOf(settings, settings.bonusShare),
  ])
  return refusal
}

/** On a database without a campaign: writes the demo one, or an empty one. Answers whether it wrote. */
export async function seedCampaign(db: Database, isDemo: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(LOCK)
    if (await tx.maybeOne(EXISTS)) return false
    const settings = isDemo ? demoSettings : emptySettings
    await tx.query(INSERT_CAMPAIGN, [JSON.stringify(settings), isDemo ? demoPriceUsd : null, isDemo])
    if (isDemo) await seedDemo(tx)
    const refusal = await putCapacityInForce(tx, settings)
    assert(refusal === null, `a new campaign's caps are refused: ${refusal}`)
    return true
  })
}

async function seedDemo(tx: Queryable): Promise<void> {
  await tx.query(INSERT_PRICE, [demoPriceUsd])
  await tx.query(INSERT_STAGE, [
    demoStage.name,
    demoStage.goalUsd,
    demoStage.priceUsd,
    demoStage.days,
    demoStage.endHourUtc,
  ])
  for (const [position, currency] of demoCurrencies.entries()) {
    const rate = keepRate(divide(currency.usd, demoPriceUsd))
    const { code, fullName, network, address, erc20, priceId, usd } = currency
    await tx.query(INSERT_CURRENCY, [code, fullName, network, address, erc20, rate, priceId, position, usd])
  }
  for (const kind of legalKinds) await tx.query(INSERT_LEGAL, [kind, JSON.stringify(demoLegalText(kind))])
  await seedAnnouncement(tx)
}
