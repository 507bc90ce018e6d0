import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './machine.ts'
import { median, percentile, type Row, shown } from './rows.ts'
import type { Slice } from './slices.ts'

/** What can be compared; each is a load of bench/slices.ts. */
export const COMPARED = ['orders', 'orders-alone', 'approvals', 'figures']
const SLICES = 20
/** The first slices of each side warm it up. */
const WARM_UP = 2
/** Where the middle half of the pairs is wider than this, the machine says more than the program. */
const SPREAD_MAX = 0.15

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
    copyFileSync(join(root, 'bench', 'slices.ts'), join(earlier, 'bench', 'slices.ts'))
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
      ['requests a second', 'perSecond'],
      ['processor time of the server', 'server'],
      ['processor time of PostgreSQL', 'postgres'],
    ] as const
  )
    .filter(([, key]) => median(pairs.map(([before]) => before[key])) > 1)
    .map(([what, key]) => {
      const ratios = pairs.map(([before, now]) => now[key] / before[key])
      const [low, high] = [percentile(ratios, 0.25), percentile(ratios, 0.75)]
      const noisy = high - low > SPREAD_MAX ? '; too noisy to judge' : ''
      return {
        what: `${load}: ${what}, now ÷ ${ref}`,
        target: '',
        measured: shown(median(ratios)),
        runs: pairs.length,
        values: ratios,
        notes: `middle half ${shown(low)} to ${shown(high)}; ${shown(median(pairs.map(([, now]) => now[key])), 0)} against ${shown(median(pairs.map(([before]) => before[key])), 0)}${noisy}`,
      }
    })
}

async function start(load: string, tree: string): Promise<ChildProcess> {
  const child = fork('bench/slices.ts', [load], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${tree}: ended with ${code}`)
  })
  await Promise.race([once(child, 'message'), ended])
  // From here on its end is asked for, or seen by the slice that has no answer.
  ended.catch(() => undefined)
  return child
}

async function slice(child: ChildProcess): Promise<Slice> {
  child.send('slice')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a side ended with ${code}`)
  })
  const [answered] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return answered as Slice
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
