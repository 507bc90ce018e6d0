import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import type { Slice } from './slices.ts'

/** Loads from bench/slices.ts that can be compared. */
export const COMPARED = ['orders', 'approvals', 'table', 'figures']
const SLICES = 60
/** The first slices of each side do not count. */
const WARM_UP = 2
/** The machine's noise exceeds the difference if the interval of the median is wider. */
const UNSURE_MAX = 0.1

/**
 * Each tree has its own server and database, and slices of a second alternate. Only pairs are compared (this
 * ÷ earlier): the machine's speed changes from second to second.
 */
export async function compareWith(ref: string, chosen: readonly string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'presale-against-'))
  const earlier = join(folder, 'tree')
  try {
    must('git', ['worktree', 'add', '--quiet', '--detach', earlier, ref], root)
    must(process.execPath, ['scripts/run.mjs', 'setup'], earlier)
    // A server that builds first is not ready in time.
    for (const tree of [earlier, root]) must(process.execPath, ['scripts/run.mjs', 'build'], tree)
    for (const file of ['slices.ts', 'orders.lua'])
      copyFileSync(join(root, 'bench', file), join(earlier, 'bench', file))
    const rows: Row[] = []
    for (const load of chosen) rows.push(...(await compared(load, ref, earlier)))
    return rows
  } finally {
    spawnSync('git', ['worktree', 'remove', '--force', earlier], { cwd: root })
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compared(load: string, ref: string, earlier: string): Promise<Row[]> {
  const sides = await Promise.all([start(load, earlier), start(load, root)])
  const pairs: [Slice, Slice][] = []
  try {
    for (let n = 0; n < WARM_UP + SLICES; n += 1) {
      const pair: Slice[] = []
      for (const side of n % 2 === 0 ? [0, 1] : [1, 0]) pair[side] = await slice(sides[side] as ChildProcess)
      if (n >= WARM_UP) pairs.push(pair as [Slice, Slice])
    }
  } finally {
    await Promise.all(sides.map(end))
  }
  return (
    [
      ['a second', 'perSecond'],
      ['processor time of the server', 'server'],
      ['processor time of PostgreSQL', 'postgres'],
    ] as const
  )
    .filter(([, key]) => median(pairs.map(([before]) => before[key])) > 1)
    .map(([what, key]) => {
      const ratios = pairs.map(([before, now]) => now[key] / before[key])
      const [low, high] = intervalOf(ratios)
      const noisy = high - low > UNSURE_MAX ? '; too noisy to judge' : ''
      return {
        what: `${load}: ${what}, now ÷ ${ref}`,
        target: '',
        measured: shown(median(ratios)),
        runs: pairs.length,
        values: ratios,
        notes: `${shown(low)} to ${shown(high)}; ${shown(median(pairs.map(([, now]) => now[key])), 0)} against ${shown(median(pairs.map(([before]) => before[key])), 0)}${noisy}`,
      }
    })
}

/** The 95 % interval of the median by the sign test, between two of the sorted values. */
function intervalOf(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(0, Math.floor(values.length / 2 - 0.98 * Math.sqrt(values.length)) - 1)
  return [sorted[rank] ?? Number.NaN, sorted.at(-1 - rank) ?? Number.NaN]
}

async function start(load: string, tree: string): Promise<ChildProcess> {
  const child = fork('bench/slices.ts', [load], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await answerOf(child)
  return child
}

async function slice(child: ChildProcess): Promise<Slice> {
  child.send('slice')
  return (await answerOf(child)) as Slice
}

/** Its exit is an error. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  try {
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`a side ended with ${code}`)
    })
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended])
    return answer
  } finally {
    answered.abort()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.send('end')
  await ended
}

function must(program: string, args: string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
