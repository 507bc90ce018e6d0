import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { legalKinds } from '../../shared/api/content.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { unnamedToken } from '../../shared/sale-readiness.ts'
import { noTexts } from '../../shared/texts.ts'
import { nameInRow, setCapacity } from '../campaign/campaign.ts'
import { testNetworksIn } from '../chain-config.ts'
import type { Config } from '../config.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { StartError } from '../start-error.ts'
import { seedAnnouncement } from './announce.ts'
import { demoCurrencies, demoPriceUsd, demoSettings, demoStage } from './demo-campaign.ts'
import { demoLegalText } from './demo-texts.ts'

/** Cannot sell until the owner fills it in. Its neutral values fit together. */
export const emptySettings: CampaignSettings = {
  ...demoSettings,
  ...unnamedToken,
  tagline: noTexts,
  purpose: noTexts,
  seller: { name: '', address: '', contact: '', country: '' },
  hardCapUsd: '1000000',
  softCapUsd: '100000',
  levels: demoSettings.levels.map((level) => ({ ...level, description: noTexts, perks: [] })),
  delivery: { network: '', chain: null, tokenContract: null, date: null, vesting: noTexts },
}

// Rules: OPEN-2
/** Returns whether the campaign was missing. */
export async function seedCampaign(db: Database, isDemo: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('seed'))`)
    if (await tx.maybeOne(sql`select 1 from campaign`)) return false
    const settings = isDemo ? demoSettings : emptySettings
    await tx.query(
      // An operator opens a sale; saving the last missing setting never does.
      sql`insert into campaign (settings, price_usd, is_demo, paused_at)
          values (${JSON.stringify(settings)}, ${isDemo ? demoPriceUsd : null}, ${isDemo},
                  case when ${!isDemo} then now() end)`,
    )
    if (isDemo) await seedDemo(tx)
    await setCapacity(tx, settings)
    return true
  })
}

export async function startCampaign(
  db: Database,
  { isDemo, nodes }: Pick<Config, 'isDemo' | 'nodes'>,
): Promise<void> {
  await seedCampaign(db, isDemo)
  await refuseTestNetworks(db, nodes.settings)
}

// Rules: OPEN-3
/** Elsewhere worthless coins would count as dollars raised; a demo's pages are marked. */
async function refuseTestNetworks(db: Database, settings: ReadonlyMap<string, string>): Promise<void> {
  const named = testNetworksIn(settings)
  if (named.length === 0) return
  const { is_demo: isDemo } = await db.one<{ is_demo: boolean }>(sql`select is_demo from campaign`)
  if (isDemo) return
  throw testNetworkError(named)
}

/** Before the first start creates the embedded database, so that nothing is left behind. */
export function refuseTestNetworksAtFirst({ isDemo, nodes, database }: Config): void {
  const named = testNetworksIn(nodes.settings)
  if (isDemo || named.length === 0 || database.kind !== 'embedded') return
  if (existsSync(join(database.dataDir, 'postgres'))) return
  throw testNetworkError(named)
}

const testNetworkError = (named: readonly string[]) => {
  const why = 'names a test network, which a demo alone follows: rehearse with DEMO=on and an empty database'
  return new StartError(named.map((name) => `${name} ${why}`).join('\n'))
}

async function seedDemo(tx: Queryable): Promise<void> {
  await tx.query(sql`insert into price_changes (price_usd, reason) values (${demoPriceUsd}, 'first price')`)
  const { name, names } = nameInRow(demoStage.name)
  const { goalUsd, priceUsd, days, endHourUtc } = demoStage
  await tx.query(
    sql`insert into stages (name, names, goal_usd, price_usd, starts_at, ends_at, price_applied_at)
        values (${name}, ${names}::jsonb, ${goalUsd}, ${priceUsd}, clock_timestamp(),
                (date_trunc('day', clock_timestamp() at time zone 'UTC')
                  + make_interval(days => ${days}, hours => ${endHourUtc})) at time zone 'UTC', clock_timestamp())`,
  )
  for (const [position, currency] of demoCurrencies.entries()) await seedCurrency(tx, currency, position)
  const { least } = await tx.one<{ least: string }>(sql`select (settlement_rules()).least_usd as least`)
  for (const kind of legalKinds)
    await tx.query(
      sql`insert into legal_texts (kind, version, body) values (${kind}, 1, ${JSON.stringify(demoLegalText(kind, least))})`,
    )
  await seedAnnouncement(tx)
}

async function seedCurrency(
  tx: Queryable,
  { code, fullName, network, address, erc20, priceId, usd }: (typeof demoCurrencies)[number],
  position: number,
): Promise<void> {
  const rate = keepRate(divide(usd, demoPriceUsd))
  await tx.query(
    sql`with added as (
          insert into currencies (code, full_name, network, address, erc20, rate, price_id, position)
          values (${code}, ${fullName}, ${network}, ${address}, ${erc20}, ${rate}, ${priceId}, ${position}) returning id)
        select note_rate(id, ${rate}, ${usd}, 'demo rate') from added`,
  )
}
