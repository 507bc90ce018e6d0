import { isDeepStrictEqual } from 'node:util'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'

type Perk = CampaignSettings['levels'][number]['perks'][number]

// Rules: LOG-24
/**
 * The settings `after` a change with the dates of their perks as the server knows them, whatever a form says: a proof is dated when it is
 * given, and again (`now`, ISO 8601) where what it proves is written anew; the first day that a perk was promised for stays.
 */
export function withPerkDates(
  before: CampaignSettings,
  after: CampaignSettings,
  now: string,
): CampaignSettings {
  const standing = new Map(before.levels.flatMap(({ perks }) => perks.map((perk) => [perk.key, perk])))
  const levels = after.levels.map((level) => ({
    ...level,
    perks: level.perks.map((perk) => dated(perk, standing.get(perk.key), now)),
  }))
  return { ...after, levels }
}

function dated(perk: Perk, old: Perk | undefined, now: string): Perk {
  const isSame = old !== undefined && isDeepStrictEqual(provedBy(perk), provedBy(old))
  return {
    ...perk,
    firstPromisedFor: old?.firstPromisedFor ?? perk.promisedFor,
    keptAt: perk.proof === null ? null : ((isSame ? old.keptAt : null) ?? now),
  }
}

const provedBy = ({ text, promisedFor, proof }: Perk) => ({ text, promisedFor, proof })
