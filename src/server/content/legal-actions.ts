import { z } from 'zod'
import { type LegalText, legalKinds } from '../../shared/api/content.ts'
import { localText } from '../../shared/campaign-settings-inputs.ts'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { readLegalText } from './legal-texts.ts'
import { requireText } from './required-text.ts'

const publishInput = z.object({
  kind: z.enum(legalKinds),
  /** The version that the operator saw. */
  basedOn: z.number().int().min(0),
  body: localText,
})

export const legalActions = {
  /** Older versions stay for their orders. */
  'legal.publish': defineAction({
    name: 'legal.publish',
    input: publishInput,
    publishes: async (tx, { kind, body }) => ({
      subject: { type: 'legal-text', id: kind },
      pieces: [{ name: 'body', now: body, before: (await readLegalText(tx, kind)).body }],
    }),
    execute: publish,
  }),
}

async function publish(
  unit: UnitOfWork,
  { kind, basedOn, body }: z.output<typeof publishInput>,
): Promise<LegalText> {
  requireText(body, 'body')
  // One version of a kind after another.
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('legal_texts.' || ${kind}::text))`)
  const { version } = await unit.one<{ version: number }>(
    sql`select coalesce(max(version), 0) as version from legal_texts where kind = ${kind}`,
  )
  if (version !== basedOn) refuse('conflict', { current: await readLegalText(unit, kind) })
  await unit.query(
    sql`insert into legal_texts (kind, version, body, operator_id)
        values (${kind}, ${basedOn + 1}, ${JSON.stringify(body)}, ${unit.actor.operatorId})`,
  )
  await unit.audit(
    'legal.publish',
    { type: 'legal-text', id: kind },
    { before: { version: basedOn }, after: { version: basedOn + 1 } },
  )
  await unit.tell('campaign_changed', { fields: [kind] })
  return readLegalText(unit, kind)
}
