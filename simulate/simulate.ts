// npm run simulate -- --steps 20000 --seed 7: Simulates a sale with chains, people and clock from a seed, and
// compares the database with an independent model after each step. A failure is shortened and stored;
// --replay FILE repeats it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { type Holder, shorten, withHolder } from './hold.ts'
import { sequence } from './sequence.ts'
import type { Event } from './steps.ts'

const FAILURES = 'test-results'
const REACHED = 'reached '

/** Tells the progress, to resume from there. */
const TELL_EVERY = 20_000

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    replay: { type: 'string', multiple: true },
    parts: { type: 'string', default: '1' },
    part: { type: 'string' },
    /** To resume a run. */
    from: { type: 'string', default: '0' },
    /** Fails if the results differ. */
    twice: { type: 'boolean', default: false },
    /** Prints only the fault, for `npm run simulate:proof`. */
    brief: { type: 'boolean', default: false },
  },
})
const steps = Number(values.steps)
const seed = Number(values.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000)
const parts = Number(values.parts)
const from = Number(values.from)
/** Real time, not the simulation's. */
const now = () => Number(process.hrtime.bigint()) / 1e9

const { replay: found } = values
if (found) await withHolder((holder) => replayAll(holder, found))
else if (values.part !== undefined) await withHolder((holder) => search(holder, Number(values.part)))
else await searchInParts()

async function searchInParts(): Promise<void> {
  const begun = now()
  const reached = new Map<string, number>()
  const codes = await Promise.all(Array.from({ length: parts }, (_, part) => runPart(part, reached)))
  const seconds = now() - begun
  const done = reached.get('steps') ?? 0
  const next = (reached.get('sequences') ?? 0) + from
  reached.delete('steps')
  reached.delete('sequences')
  if (codes.some((code) => code !== 0)) {
    process.exitCode = 1
    return
  }
  const speed = Math.round(done / seconds)
  console.log(`seed ${seed}: ${done} steps in ${seconds.toFixed(1)} s (${speed} a second), nothing broken`)
  if (values.brief) return
  console.log(`npm run simulate -- --seed ${seed} --from ${next} goes on`)
  for (const [state, count] of [...reached].toSorted()) console.log(`${String(count).padStart(8)} ${state}`)
}

async function runPart(part: number, reached: Map<string, number>): Promise<number> {
  const numbers = { seed, steps: Math.ceil(steps / parts), part, parts, from }
  const args = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (values.brief) args.push('--brief')
  if (values.twice) args.push('--twice')
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith(REACHED))
      for (const [state, count] of JSON.parse(line.slice(REACHED.length)) as [string, number][])
        reached.set(state, (reached.get(state) ?? 0) + count)
    else console.log(line)
  const [code] = await ended
  return code ?? 1
}

/** Searches with seeds derived from the run's, until enough steps are done or one fails. */
async function search(holder: Holder, part: number): Promise<void> {
  let told = 0
  let run = from + part
  for (; holder.steps < steps; run += parts) {
    if (holder.steps - told >= TELL_EVERY && !values.brief) {
      told = holder.steps
      console.log(`seed ${seed}, part ${part}: ${told} steps, at sequence ${run}`)
    }
    const [events = []] = fc.sample(sequence, { seed: seed * 1_000_003 + run, numRuns: 1 })
    const faults = values.twice ? await holder.holdTwice(events) : await holder.hold(events)
    if (faults.length === 0) continue
    console.log(`seed ${seed}: broken after ${holder.steps} steps, in sequence ${run}`)
    for (const fault of values.twice ? faults : faults.slice(0, 1)) console.log(fault)
    if (!values.brief) await report(holder, await shorten(holder, events), `simulation-${seed}-${run}.json`)
    process.exitCode = 1
    return
  }
  console.log(
    REACHED +
      JSON.stringify([
        ...holder.reached,
        ['steps', holder.steps],
        ['sequences', (run - from - part) / parts],
      ]),
  )
}

async function report(holder: Holder, events: readonly Event[], name: string): Promise<void> {
  await mkdir(FAILURES, { recursive: true })
  const file = join(FAILURES, name)
  await writeFile(file, JSON.stringify(events))
  for (const event of events) console.log(sayEvent(event))
  for (const fault of await holder.hold(events, { isThorough: true })) console.log(fault)
  console.log(`npm run simulate -- --replay ${file}`)
}

async function replayAll(holder: Holder, files: readonly string[]): Promise<void> {
  for (const file of files) await replay(holder, file)
}

async function replay(holder: Holder, file: string): Promise<void> {
  const events = JSON.parse(await readFile(file, 'utf8')) as Event[]
  const tell = (event: Event, index: number) => console.log(`${index + 1} ${sayEvent(event)}`)
  const faults = await holder.hold(events, { isThorough: true, tell })
  for (const fault of faults) console.log(fault)
  console.log(`${file}: ${faults.length === 0 ? 'nothing broken' : 'broken'}`)
  if (faults.length > 0) process.exitCode = 1
}

function sayEvent({ step: { kind, ...facts }, diesAt }: Event): string {
  const dies = diesAt === null ? '' : ` (dies at statement ${diesAt})`
  return `${kind} ${JSON.stringify(facts)}${dies}`
}
