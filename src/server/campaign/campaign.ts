import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { Database } from '../database/database.ts'
import { readCampaign } from './read-campaign.ts'

export { createEditCampaign, type EditCampaign } from './edit-campaign.ts'
export { priceHistory, readCampaign } from './read-campaign.ts'

/** How long a reading of the public figures may be shown before the next one. */
const FRESH_MS = 1_000

export interface Campaign {
  /** The public campaign, at most a second old. `not_found` while no campaign is set up. */
  current(): Promise<PublicCampaign>
  /** The same as one JSON text, serialised once a reading. */
  currentJson(): Promise<Buffer>
  /** A reading made now; the cache keeps it. */
  refresh(): Promise<PublicCampaign>
  /** Forgets the reading after a change of settings, so that whoever made it sees it. */
  invalidate(): void
}

/** Reads the campaign and its figures; keeps one reading for a second, shared by all who ask meanwhile. */
export function createCampaign(db: Database): Campaign {
  let reading: { at: number; value: Promise<PublicCampaign>; json: Promise<Buffer> } | undefined

  const read = () => {
    const value = readCampaign(db)
    const json = value.then((campaign) => Buffer.from(JSON.stringify(campaign)))
    json.catch(() => {})
    const mine = { at: Date.now(), value, json }
    reading = mine
    value.catch(() => {
      if (reading === mine) reading = undefined
    })
    return mine
  }
  const fresh = () => (reading && Date.now() - reading.at < FRESH_MS ? reading : read())

  return {
    current: () => fresh().value,
    currentJson: () => fresh().json,
    refresh: () => read().value,
    invalidate() {
      reading = undefined
    },
  }
}
