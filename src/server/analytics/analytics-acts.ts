import { z } from 'zod'
import { providerOf } from '../../shared/analytics-beacons.ts'
import type { AnalyticsKey, AnalyticsProvider } from '../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../shared/api/analytics-inputs.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type AnalyticsRow, analyticsColumns, analyticsKey, SECONDARY_PURPOSE } from './analytics-rows.ts'
import { openLocation } from './locations.ts'

export interface AnalyticsActsNeeds {
  readonly secrets: Secrets
  /** First segment of the operators' area. */
  readonly operatorPath: string
}

type Input = z.output<typeof analyticsKeyInput>

const byId = z.object({ id: z.number().int() })
const changeInput = analyticsKeyInput.extend({
  ...byId.shape,
  /** Another revision meanwhile is a `conflict`; left out, whatever stands is replaced. */
  revision: z.number().int().optional(),
})

/** What operators can change of analytics keys. */
export const analyticsActs = (needs: AnalyticsActsNeeds) => ({
  /** Refuses location_refused, key_exists. */
  'analytics.add': act({
    name: 'analytics.add',
    input: analyticsKeyInput,
    perform: (change, input) => addKey(change, input, needs),
  }),
  /** Refuses not_found, conflict, location_refused, key_exists. */
  'analytics.update': act({
    name: 'analytics.update',
    input: changeInput,
    perform: (change, input) => updateKey(change, input, needs),
  }),
  /** Refuses not_found. */
  'analytics.remove': act({ name: 'analytics.remove', input: byId, perform: removeKey }),
})

async function addKey(change: Change, input: Input, needs: AnalyticsActsNeeds): Promise<AnalyticsKey> {
  const { apiKey, location, provider } = placedKey(input, needs)
  await lockKeys(change)
  const row = await change.maybeOne<{ id: string }>(
    sql`insert into analytics_keys (api_key, location, provider) values (${apiKey}, ${location}, ${provider})
        on conflict on constraint analytics_keys_once_a_location do nothing returning id`,
  )
  if (!row) return refuse('key_exists')
  if (input.apiKeySecondary) await setSecondary(change, row.id, input.apiKeySecondary, needs)
  await change.audit('analytics.add', subjectOf(row), { after: { apiKey, location, provider } })
  await change.tell('analytics_changed', { locations: [location] })
  return analyticsKey(await lockKey(change, row.id))
}

async function updateKey(
  change: Change,
  { id, revision, ...input }: z.output<typeof changeInput>,
  needs: AnalyticsActsNeeds,
): Promise<AnalyticsKey> {
  await lockKeys(change)
  const before = await lockKey(change, id)
  if (revision !== undefined && before.revision !== revision)
    refuse('conflict', { current: analyticsKey(before) })
  const { apiKey, location, provider } = placedKey(input, needs)
  const taken = await change.maybeOne(
    sql`select 1 from analytics_keys where api_key = ${apiKey} and location = ${location} and id <> ${id}`,
  )
  if (taken) refuse('key_exists')
  await change.query(
    sql`update analytics_keys set api_key = ${apiKey}, location = ${location}, provider = ${provider},
               revision = revision + 1
         where id = ${id}`,
  )
  // What the key is shown as, sent back, leaves it.
  const { secondaryMasked } = analyticsKey(before)
  const apiKeySecondary = input.apiKeySecondary === secondaryMasked ? undefined : input.apiKeySecondary
  if (apiKeySecondary !== undefined) await setSecondary(change, before.id, apiKeySecondary, needs)
  await change.audit('analytics.update', subjectOf(before), {
    before: { apiKey: before.api_key, location: before.location, provider: before.provider },
    after: { apiKey, location, provider, secondaryChanged: apiKeySecondary !== undefined },
  })
  await change.tell('analytics_changed', { locations: [before.location, location] })
  return analyticsKey(await lockKey(change, id))
}

async function removeKey(change: Change, { id }: { id: number }): Promise<{ id: number }> {
  const before = await lockKey(change, id)
  await change.query(sql`delete from analytics_keys where id = ${id}`)
  await change.audit('analytics.remove', subjectOf(before), {
    before: { apiKey: before.api_key, location: before.location },
  })
  await change.tell('analytics_changed', { locations: [before.location] })
  return { id }
}

const subjectOf = ({ id }: { id: string }) => ({ type: 'analytics-key', id }) as const

/** The key with its provider and its normal location. Refuses location_refused. */
function placedKey(
  input: Input,
  { operatorPath }: AnalyticsActsNeeds,
): { apiKey: string; location: string; provider: AnalyticsProvider } {
  const location = openLocation(input.location, operatorPath) ?? refuse('location_refused')
  return { apiKey: input.apiKey, location, provider: input.provider ?? providerOf(input.apiKey) }
}

/** Writers of keys wait for one another, so that a key can't be put twice on one location between look and write. */
async function lockKeys(change: Change): Promise<void> {
  await change.query(sql`lock table analytics_keys in share row exclusive mode`)
}

async function lockKey(change: Change, id: number | string): Promise<AnalyticsRow> {
  const row = await change.maybeOne<AnalyticsRow>(
    sql`select ${analyticsColumns} from analytics_keys where id = ${id} for update`,
  )
  return row ?? refuse('not_found')
}

/** Seals the secondary key; an empty one takes away what was there. */
async function setSecondary(
  change: Change,
  id: string,
  secondary: string | null,
  { secrets }: AnalyticsActsNeeds,
): Promise<void> {
  const sealed = secondary ? secrets.encrypt(SECONDARY_PURPOSE, secondary, id) : null
  await change.query(
    sql`update analytics_keys set secondary_encrypted = ${sealed}, secondary_hint = ${secondary ? secondary.slice(-4) : null}
         where id = ${id}`,
  )
}
