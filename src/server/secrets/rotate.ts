import type { Database } from '../database/database.ts'
import { system, type UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { countByKey, type Resealed, reseal } from './reseal.ts'
import type { Secrets } from './secrets.ts'

export interface RotationNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
}

/** Audits start, amount and end; an interrupted run has only its start, and the next one continues. */
export async function rotateSecrets(needs: RotationNeeds): Promise<Resealed> {
  const left = (await countByKey(needs)).reduce((sum, { older, other }) => sum + older + other, 0)
  if (left === 0) return { sealed: 0, unreadable: 0 }
  await note(needs, { left })
  const done = await reseal(needs)
  await note(needs, done)
  return done
}

/** Names the key by its derived id, which reveals nothing about it. */
async function note({ units, secrets }: RotationNeeds, after: { left: number } | Resealed): Promise<void> {
  const id = (secrets.heads()[0] ?? '').slice(2)
  await units.run(system, (unit) => unit.audit('secret-key.rotate', { type: 'secret-key', id }, { after }))
}
