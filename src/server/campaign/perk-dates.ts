import { isDeepStrictEqual } from 'node:util'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'

type Perk = CampaignSettings['levels'][number]['perks'][number]

// Rules: LOG-24
/**
 * Dates come from the server, whatever the form says. A proof is dated `now` (ISO 8601) when added or its
 * claim is rewritten; the first promised day stays.
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
