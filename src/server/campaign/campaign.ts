import type { CampaignChange, PublicCampaign } from '../../shared/api/campaign.ts'
import { defaultRetention, type Period, periods, type RetentionDays } from '../../shared/retention.ts'
import { isYoungerThan } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { PageOf, PageQuery } from '../keyset.ts'
import { countOlder } from '../retention/retention.ts'
import { system, type UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { campaignActions } from './campaign-actions.ts'
import { lockCampaign, type OperatorCampaign, showCampaign } from './campaign-lock.ts'
import { priceHistory, readCampaign, settingChanges } from './read-campaign.ts'
import { applyStagePrice, hasStageBegun } from './stage-actions.ts'

export { lockPublicTerms, nameInRow, setCapacity } from './campaign-lock.ts'
export { priceHistory, readCampaign, settingChanges } from './read-campaign.ts'

/** Maximum age of cached public figures. */
const FRESH_MS = 1_000

export interface CampaignNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
}

interface Reading {
  readonly at: number
  readonly value: Promise<PublicCampaign>
  readonly json: Promise<Buffer>
}

export class Campaign {
  readonly actions = campaignActions
  readonly #db: Database
  readonly #units: UnitsOfWork
  #reading: Reading | undefined

  constructor({ db, units }: CampaignNeeds) {
    this.#db = db
    this.#units = units
  }

  /** At most a second old. Errors: `not_found` before setup. */
  current(): Promise<PublicCampaign> {
    return this.#fresh().value
  }

  currentJson(): Promise<Buffer> {
    return this.#fresh().json
  }

  refresh(): Promise<PublicCampaign> {
    return this.#read().value
  }

  /** The author of a change sees it at once. */
  invalidate(): void {
    this.#reading = undefined
  }

  show(): Promise<OperatorCampaign> {
    return this.#db.transaction(showCampaign, { isolation: 'repeatable read', readOnly: true })
  }

  /** Rows that these periods would delete now. */
  async older(given: Partial<RetentionDays>): Promise<{ period: Period; rows: number }[]> {
    const asked = periods.filter((period) => given[period] !== undefined)
    const counts = await countOlder(this.#db, { ...defaultRetention, ...given }, asked)
    return asked.map((period) => ({ period, rows: counts[period] ?? 0 }))
  }

  history(query: PageQuery): Promise<PageOf<CampaignChange>> {
    return settingChanges(this.#db, query)
  }

  prices(query: PageQuery) {
    return priceHistory(this.#db, query)
  }

  async applyStagePrice(): Promise<boolean> {
    if (!(await hasStageBegun(this.#db))) return false
    await this.#units.run(system, async (unit) => {
      await lockCampaign(unit)
      await applyStagePrice(unit)
    })
    return true
  }

  #fresh(): Reading {
    return this.#reading && isYoungerThan(FRESH_MS, this.#reading.at) ? this.#reading : this.#read()
  }

  #read(): Reading {
    const value = readCampaign(this.#db)
    const json = value.then((campaign) => Buffer.from(JSON.stringify(campaign)))
    json.catch(() => {})
    const reading = { at: Date.now(), value, json }
    this.#reading = reading
    value.catch(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    return reading
  }
}
