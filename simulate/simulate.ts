// npm run simulate -- --steps 20000 --seed 7: drives a whole sale, its chains, its people and its clock from a seed, and holds every
// rule after each step. A failure is shortened and kept; --replay FILE runs it again.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startEmbedded } from '../src/server/database/embedded.ts'
import { SimulatedClock } from './clock.ts'
import { Holder, shorten } from './hold.ts'
import { type Event, sequence } from './steps.ts'
import { Worlds } from './world.ts'

/** Nothing here outlives the run. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' }
const FAILURES = 'test-results'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    replay: { type: 'string' },
  },
})
const steps = Number(values.steps)
const seed = Number(values.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000)

const clock = new SimulatedClock()
const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'simulate-'))
const postgres = await startEmbedded({ dataDir: folder, mode: 'own', settings: FAST })
clock.install()
const worlds = new Worlds(postgres, clock)
await worlds.prepare()
const holder = new Holder(worlds)

try {
  if (values.replay) await replay(values.replay)
  else await search()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Sequence after sequence, each by a seed of its own that follows from the run's, until enough steps are done or one fails. */
async function search(): Promise<void> {
  const begun = process.hrtime.bigint()
  for (let run = 0; holder.steps < steps; run += 1) {
    const [events = []] = fc.sample(sequence, { seed: seed * 1_000_003 + run, numRuns: 1 })
    const faults = await holder.hold(events)
    if (faults.length === 0) continue
    console.log(`seed ${seed}: broken after ${holder.steps} steps, in sequence ${run}; shortening`)
    await report(await shorten(holder, events), `simulation-${seed}-${run}.json`)
    return
  }
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9
  const speed = Math.round(holder.steps / seconds)
  console.log(
    `seed ${seed}: ${holder.steps} steps in ${seconds.toFixed(1)} s (${speed} a second), nothing broken`,
  )
  for (const [state, count] of [...holder.reached].toSorted())
    console.log(`${String(count).padStart(7)} ${state}`)
}

async function report(events: readonly Event[], name: string): Promise<void> {
  await mkdir(FAILURES, { recursive: true })
  const file = join(FAILURES, name)
  await writeFile(file, JSON.stringify(events))
  for (const event of events) console.log(sayEvent(event))
  for (const fault of await holder.hold(events)) console.log(fault)
  console.log(`npm run simulate -- --replay ${file}`)
  process.exitCode = 1
}

async function replay(file: string): Promise<void> {
  const events = JSON.parse(await readFile(file, 'utf8')) as Event[]
  const faults = await holder.hold(events, (event, index) => console.log(`${index + 1} ${sayEvent(event)}`))
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? 'nothing broken' : 'broken')
  process.exitCode = faults.length === 0 ? 0 : 1
}

function sayEvent({ step: { kind, ...facts }, diesAt }: Event): string {
  const dies = diesAt === null ? '' : ` (dies at statement ${diesAt})`
  return `${kind} ${JSON.stringify(facts)}${dies}`
}
