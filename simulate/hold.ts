import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/server/database/embedded.ts'
import { Checks } from './check.ts'
import { SimulatedClock } from './clock.ts'
import { type End, readEnd } from './end.ts'
import { People, type Spelling } from './execute.ts'
import type { Event, Step } from './steps.ts'
import { DATABASE, onDatabase, type World, Worlds } from './world.ts'

/** Data that need not survive the run. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  autovacuum: 'off',
  log_min_messages: 'error',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  track_activities: 'off',
  track_counts: 'off',
}

interface Kind {
  readonly major: number
  readonly settings: Record<string, string>
}

export async function withHolder(
  work: (holder: Holder, adminUrl: string) => Promise<void>,
  kind?: Kind,
): Promise<void> {
  const clock = new SimulatedClock()
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simulate-'))
  const postgres = await startEmbedded({
    dataDir: folder,
    mode: 'own',
    settings: { ...FAST, ...kind?.settings },
    ...(kind && { major: kind.major }),
  })
  clock.install()
  const worlds = new Worlds(postgres, clock)
  try {
    await worlds.prepare()
    await work(new Holder(worlds), onDatabase(postgres.adminUrl, DATABASE))
  } finally {
    await worlds.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Nothing is left to be read, or to be done by a job. */
const LAST: readonly Event[] = (['litecoin', 'ethereum'] as const)
  .flatMap((network): Step[] => [
    { kind: 'mine', network, blocks: 1 },
    { kind: 'watch', network },
  ])
  .concat({ kind: 'jobs' })
  .map((step) => ({ step, diesAt: null }))

interface Telling {
  readonly tell?: (event: Event, index: number) => void
  readonly trace?: string[]
  readonly spelling?: Spelling
  readonly before?: (world: World) => Promise<unknown>
  readonly between?: (world: World, index: number) => Promise<unknown>
  readonly after?: (world: World) => Promise<unknown>
  readonly isThorough?: boolean
}

/** Runs sequences of events, each in its own world. */
export class Holder {
  /** Counts states and answers: a simulation that reaches little proves little. */
  readonly reached = new Map<string, number>()
  readonly #worlds: Worlds
  #steps = 0

  constructor(worlds: Worlds) {
    this.#worlds = worlds
  }

  get steps(): number {
    return this.#steps
  }

  /** Stops after the first event with faults; an empty list is the proof. */
  hold(events: readonly Event[], { tell, trace, isThorough = false }: Telling = {}): Promise<string[]> {
    return this.#worlds.within(async (world) => {
      const people = new People(world)
      const checks = await Checks.open(world, people, isThorough)
      for (const [index, event] of events.entries()) {
        tell?.(event, index)
        this.#steps += 1
        const faults = await people.execute(event).then(
          (outcome) => checks.after(event, outcome, index === events.length - 1),
          (error: unknown) => [String((error as Error).stack ?? error)],
        )
        if (faults.length > 0) return faults
        trace?.push(`${people.answers.at(-1)}, ${checks.stood}`)
      }
      for (const state of [...(await endsOf(world)), ...people.answers])
        this.reached.set(state, (this.reached.get(state) ?? 0) + 1)
      return []
    })
  }

  /** The end of a sale: after the last event both chains are read to their tips, and the jobs have run. */
  endOf(events: readonly Event[], { spelling, before, between, after }: Telling = {}): Promise<End> {
    return this.#worlds.within(async (world) => {
      await before?.(world)
      const people = new People(world, spelling)
      for (const [index, event] of [...events, ...LAST].entries()) {
        this.#steps += 1
        await people.execute(event)
        await between?.(world, index)
      }
      const end = await readEnd(world)
      await after?.(world)
      return end
    })
  }

  /** A fault if the two results differ: then not only the seed decides. */
  async holdTwice(events: readonly Event[]): Promise<string[]> {
    const [first, second]: [string[], string[]] = [[], []]
    for (const trace of [first, second]) {
      const faults = await this.hold(events, { trace })
      if (faults.length > 0) return faults
    }
    const index = first.findIndex((stood, at) => stood !== second[at])
    return index < 0
      ? []
      : [`step ${index + 1} came out otherwise the second time:`, first[index] ?? '', second[index] ?? '']
  }
}

async function endsOf(world: World): Promise<string[]> {
  const { rows } = await world.db.pool.query<{ state: string }>(
    `select concat_ws(' ', o.status, o.detail, o.approved_via) as state from orders o
     union all select 'payment ' || payment_state(payments) from payments union all select 'refund ' || state from refunds
     union all select 'soft cap ' || coalesce(soft_cap_verdict, 'open') from campaign where settings ->> 'softCapPolicy' = 'refund'
     union all
     select 'reward ' || case when d.refusal is not null then 'refused ' || d.refusal
                              when v.id is not null then 'taken back ' || coalesce(f.refusal, 'with its order') else 'credited' end
       from referral_decisions d
       join orders o on o.id = d.order_id
       left join referrals_found f on f.friend_id = o.user_id
       left join postings v on v.reverses_id = d.posting_id
     union all
     select 'reward not decided' from referrals r join orders o on o.user_id = r.friend_id and o.status = 'approved'
      where o.base_tokens > decided_base(o.id)`,
  )
  return rows.map((row) => row.state)
}

/** The kind of a fault without run-specific ids. */
const kindOf = (faults: readonly string[]) => faults[0]?.replace(/^Error: /, '').split(/[:\n]/)[0] ?? ''

/** Leaves out halves first, single events last. */
export async function shorten(holder: Holder, events: readonly Event[]): Promise<readonly Event[]> {
  const broken = kindOf(await holder.hold(events, { isThorough: true }))
  let kept = [...events]
  // If it does not fail again, the cause was outside of the seed.
  if (broken === '') return kept
  for (let part = Math.ceil(kept.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < kept.length; ) {
      const fewer = kept.toSpliced(from, part)
      if (kindOf(await holder.hold(fewer, { isThorough: true })) === broken) kept = fewer
      else from += part
    }
  }
  return kept
}
