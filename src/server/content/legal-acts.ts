import { z } from 'zod'
import { type LegalText, legalKinds } from '../../shared/api/content.ts'
import { localText } from '../../shared/campaign-settings-inputs.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { readLegalText } from './legal-texts.ts'
import { requireText } from './required-text.ts'

const publishInput = z.object({
  kind: z.enum(legalKinds),
  /** The version that the operator saw in force. */
  basedOn: z.number().int().min(0),
  body: localText,
})

/** What operators can change of legal texts. */
export const legalActs = {
  /** Publishes the next version; older ones stay for the orders that name them. Refuses text_required, conflict. */
  'legal.publish': act({ name: 'legal.publish', input: publishInput, perform: publish }),
}

async function publish(
  change: Change,
  { kind, basedOn, body }: z.output<typeof publishInput>,
): Promise<LegalText> {
  requireText(body, 'body')
  // Held to the end of the transaction: versions of one kind are published one after another.
  await change.query(sql`select pg_advisory_xact_lock(hashtext('legal_texts.' || ${kind}::text))`)
  const { version } = await change.one<{ version: number }>(
    sql`select coalesce(max(version), 0) as version from legal_texts where kind = ${kind}`,
  )
  if (version !== basedOn) refuse('conflict', { current: await readLegalText(change, kind) })
  await change.query(
    sql`insert into legal_texts (kind, version, body, operator_id)
        values (${kind}, ${basedOn + 1}, ${JSON.stringify(body)}, ${change.by.operatorId})`,
  )
  await change.audit(
    'legal.publish',
    { type: 'legal-text', id: kind },
    { before: { version: basedOn }, after: { version: basedOn + 1 } },
  )
  await change.tell('campaign_changed', { fields: [kind] })
  return readLegalText(change, kind)
}
