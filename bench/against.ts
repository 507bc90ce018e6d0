import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import type { Slice } from './slices.ts'

/** What can be compared; each is a load of bench/slices.ts. */
export const COMPARED = ['orders', 'approvals', 'table', 'figures']
const SLICES = 60
/** The first slices of each side warm it up. */
const WARM_UP = 2
/** Where the median may lie further apart than this, the machine says more than the program. */
const UNSURE_MAX = 0.1

/**
 * An earlier commit and this one, each on its own server and database, in slices of a second in turns: this one ÷ the earlier one, pair by
 * pair. A second later the machine may be another, so nothing but the pairs is compared.
 */
export async function compareWith(ref: string, chosen: readonly string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'presale-against-'))
  const earlier = join(folder, 'tree')
  try {
    must('git', ['worktree', 'add', '--quiet', '--detach', earlier, ref], root)
    must(process.execPath, ['scripts/run.mjs', 'setup'], earlier)
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

/** Where the median of all such pairs lies, 19 times in 20: between two of the sorted values, by the sign test. */
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

/** What a side says next; its end is a fault. */
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
