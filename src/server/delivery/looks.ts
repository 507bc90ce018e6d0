import { sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'
import { type LiveRound, lookAt, readLive } from './published.ts'

type LookedAt = Pick<AddressParts, 'db' | 'looks'>

// Rules: DELIVER-33
/** At the newest final block. */
export async function lookAtLiveRounds(parts: LookedAt): Promise<void> {
  const failures: unknown[] = []
  for (const round of await readLive(parts.db)) {
    await noteLook(parts, round).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'live rounds could not be looked at')
}

async function noteLook(parts: LookedAt, round: LiveRound): Promise<void> {
  const row = JSON.stringify({ round: round.number, ...(await lookOrFailure(parts, round)) })
  await parts.db.query(sql`select note_look(jsonb_populate_record(null::delivery_looks, ${row}::jsonb))`)
}

async function lookOrFailure(parts: LookedAt, round: LiveRound) {
  try {
    const seen = await lookAt(parts, round, round.address, 'final')
    // A lagging or newly set up node shows an old state.
    if (seen.height < round.lookedHeight) refuse('node_silent', { why: 'an older block than was shown' })
    const isStanding = (await parts.looks.hashAt(round.network, round.height)) === round.blockHash
    return {
      height: seen.height,
      block_hash: seen.hash,
      mined_at: seen.minedAt,
      balance: String(seen.balance),
      claimed: String(seen.claimed),
      fault: isStanding ? faultOf(round, seen) : 'distributor_reorganised',
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { failure: error.code }
  }
}

/**
 * From `leftoverFrom` on anybody can send unclaimed tokens to the published address: a smaller balance is no
 * fault.
 */
function faultOf({ terms }: LiveRound, { fault, minedAt }: Awaited<ReturnType<typeof lookAt>>) {
  const mayLeave = minedAt.getTime() >= terms.leftoverFrom * 1000
  return fault === 'distributor_short' && mayLeave ? null : fault
}
