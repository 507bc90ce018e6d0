import { z } from 'zod'
import { providerOf } from '../../shared/analytics-beacons.ts'
import type { AnalyticsKey, AnalyticsProvider } from '../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../shared/api/analytics-inputs.ts'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type AnalyticsRow, analyticsColumns, analyticsKey, SECONDARY_PURPOSE } from './analytics-rows.ts'
import { openLocation } from './locations.ts'

export interface AnalyticsActionsNeeds {
  readonly secrets: Secrets
  /** First path segment. */
  readonly operatorPath: string
}

type Input = z.output<typeof analyticsKeyInput>

const byId = z.object({ id: z.number().int() })
const changeInput = analyticsKeyInput.extend({
  ...byId.shape,
  /** A different revision is a `conflict`; omitted: any. */
  revision: z.number().int().optional(),
})

export const analyticsActions = (needs: AnalyticsActionsNeeds) => ({
  'analytics.add': defineAction({
    name: 'analytics.add',
    input: analyticsKeyInput,
    execute: (unit, input) => addKey(unit, input, needs),
  }),
  'analytics.update': defineAction({
    name: 'analytics.update',
    input: changeInput,
    execute: (unit, input) => updateKey(unit, input, needs),
  }),
  'analytics.remove': defineAction({ name: 'analytics.remove', input: byId, execute: removeKey }),
})

async function addKey(unit: UnitOfWork, input: Input, needs: AnalyticsActionsNeeds): Promise<AnalyticsKey> {
  const { apiKey, location, provider } = placedKey(input, needs)
  await lockKeys(unit)
  const row = await unit.maybeOne<{ id: string }>(
    sql`insert into analytics_keys (api_key, location, provider) values (${apiKey}, ${location}, ${provider})
        on conflict on constraint analytics_keys_once_a_location do nothing returning id`,
  )
  if (!row) return refuse('key_exists')
  if (input.apiKeySecondary) await setSecondary(unit, row.id, input.apiKeySecondary, needs)
  await unit.audit('analytics.add', subjectOf(row), { after: { apiKey, location, provider } })
  await unit.tell('analytics_changed', { locations: [location] })
  return analyticsKey(await lockKey(unit, row.id))
}

async function updateKey(
  unit: UnitOfWork,
  { id, revision, ...input }: z.output<typeof changeInput>,
  needs: AnalyticsActionsNeeds,
): Promise<AnalyticsKey> {
  await lockKeys(unit)
  const before = await lockKey(unit, id)
  if (revision !== undefined && before.revision !== revision)
    refuse('conflict', { current: analyticsKey(before) })
  const { apiKey, location, provider } = placedKey(input, needs)
  const taken = await unit.maybeOne(
    sql`select 1 from analytics_keys where api_key = ${apiKey} and location = ${location} and id <> ${id}`,
  )
  if (taken) refuse('key_exists')
  await unit.query(
    sql`update analytics_keys set api_key = ${apiKey}, location = ${location}, provider = ${provider},
               revision = revision + 1
         where id = ${id}`,
  )
  // The form returns the masked key if unchanged.
  const { secondaryMasked } = analyticsKey(before)
  const apiKeySecondary = input.apiKeySecondary === secondaryMasked ? undefined : input.apiKeySecondary
  if (apiKeySecondary !== undefined) await setSecondary(unit, before.id, apiKeySecondary, needs)
  await unit.audit('analytics.update', subjectOf(before), {
    before: { apiKey: before.api_key, location: before.location, provider: before.provider },
    after: { apiKey, location, provider, secondaryChanged: apiKeySecondary !== undefined },
  })
  await unit.tell('analytics_changed', { locations: [before.location, location] })
  return analyticsKey(await lockKey(unit, id))
}

async function removeKey(unit: UnitOfWork, { id }: { id: number }): Promise<{ id: number }> {
  const before = await lockKey(unit, id)
  await unit.query(sql`delete from analytics_keys where id = ${id}`)
  await unit.audit('analytics.remove', subjectOf(before), {
    before: { apiKey: before.api_key, location: before.location },
  })
  await unit.tell('analytics_changed', { locations: [before.location] })
  return { id }
}

const subjectOf = ({ id }: { id: string }) => ({ type: 'analytics-key', id }) as const

function placedKey(
  input: Input,
  { operatorPath }: AnalyticsActionsNeeds,
): { apiKey: string; location: string; provider: AnalyticsProvider } {
  const location = openLocation(input.location, operatorPath) ?? refuse('location_refused')
  return { apiKey: input.apiKey, location, provider: input.provider ?? providerOf(input.apiKey) }
}

/** A location can't get the same key twice. */
async function lockKeys(unit: UnitOfWork): Promise<void> {
  await unit.query(sql`lock table analytics_keys in share row exclusive mode`)
}

async function lockKey(unit: UnitOfWork, id: number | string): Promise<AnalyticsRow> {
  const row = await unit.maybeOne<AnalyticsRow>(
    sql`select ${analyticsColumns} from analytics_keys where id = ${id} for update`,
  )
  return row ?? refuse('not_found')
}

/** An empty key removes the stored one. */
async function setSecondary(
  unit: UnitOfWork,
  id: string,
  secondary: string | null,
  { secrets }: AnalyticsActionsNeeds,
): Promise<void> {
  const sealed = secondary ? secrets.encrypt(SECONDARY_PURPOSE, secondary, id) : null
  await unit.query(
    sql`update analytics_keys set secondary_encrypted = ${sealed}, secondary_hint = ${secondary ? secondary.slice(-4) : null}
         where id = ${id}`,
  )
}
