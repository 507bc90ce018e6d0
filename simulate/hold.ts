import { faultsOf } from './check.ts'
import { People } from './perform.ts'
import type { Event } from './steps.ts'
import type { World, Worlds } from './world.ts'

/** Runs sequences of events, each in a world of its own, and says what they broke. */
export class Holder {
  /** How many orders ended in each state: a simulation that reaches little proves little. */
  readonly reached = new Map<string, number>()
  readonly #worlds: Worlds
  #steps = 0

  constructor(worlds: Worlds) {
    this.#worlds = worlds
  }

  /** How many steps were run in all. */
  get steps(): number {
    return this.#steps
  }

  /** What is wrong after the first event that breaks something; nothing is the proof. */
  hold(events: readonly Event[], tell?: (event: Event, index: number) => void): Promise<string[]> {
    return this.#worlds.within(async (world) => {
      const people = new People(world)
      for (const [index, event] of events.entries()) {
        tell?.(event, index)
        const thrown = await people.perform(event).then(
          () => [],
          (error: unknown) => [String((error as Error).stack ?? error)],
        )
        this.#steps += 1
        const faults = thrown.length > 0 ? thrown : await faultsOf(world, people, event)
        if (faults.length > 0) return faults
      }
      for (const state of await endsOf(world)) this.reached.set(state, (this.reached.get(state) ?? 0) + 1)
      return []
    })
  }
}

async function endsOf(world: World): Promise<string[]> {
  const { rows } = await world.db.pool.query<{ state: string }>(
    `select concat_ws(' ', status, detail, approved_via) as state from orders
     union all select 'payment ' || state from payments union all select 'refund ' || state from refunds`,
  )
  return rows.map((row) => row.state)
}

/** The first words of a fault: what is broken, without the ids that differ from run to run. */
const kindOf = (faults: readonly string[]) => faults[0]?.split(/[:\n]/)[0] ?? ''

/** The fewest events, in their order, that still break the same rule: parts are left out, halves first, then single ones. */
export async function shorten(holder: Holder, events: readonly Event[]): Promise<readonly Event[]> {
  const broken = kindOf(await holder.hold(events))
  let kept = [...events]
  for (let part = Math.ceil(kept.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < kept.length; ) {
      const fewer = kept.toSpliced(from, part)
      if (kindOf(await holder.hold(fewer)) === broken) kept = fewer
      else from += part
    }
  }
  return kept
}
