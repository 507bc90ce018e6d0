// npm run mutants -- [--list] [--only ID,ID] [--without-baseline]: Applies each mutant to a copy of the tree
// and runs the tests that should fail.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { editedFiles } from './edit.ts'
import { mutants } from './list.ts'
import type { Killers, Mutant } from './mutant.ts'

const SURVIVORS_MAX = 5
/** A test that hangs has noticed the mutant. */
const RUN_MS_MAX = 5 * 60_000
/** Folders that all copies share; the server is built from the copy. */
const SHARED = ['node_modules', 'dist/claim', 'dist/ssr', 'dist/stamp']
/** The second folder serves files of the first unchanged. */
const [ASSETS, SERVED] = ['src/client/assets/', 'dist/client']
const root = fileURLToPath(new URL('../../', import.meta.url))

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    'without-baseline': { type: 'boolean', default: false },
  },
})
const chosen = choose(values.only?.split(','))
if (values.list) for (const { id, says } of chosen) console.log(`${id.padEnd(36)} ${says}`)
else process.exitCode = await runAll()

function choose(ids: string[] | undefined): readonly Mutant[] {
  if (!ids) return mutants
  const unknown = ids.filter((id) => !mutants.some((mutant) => mutant.id === id))
  if (unknown.length > 0) throw new Error(`no such mutant: ${unknown.join(', ')}`)
  return mutants.filter(({ id }) => ids.includes(id))
}

async function runAll(): Promise<number> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'))
  try {
    await copyTree(copy)
    if (!values['without-baseline']) await proveBaseline(copy)
    const outcomes = new Map<Mutant, string>()
    for (const mutant of chosen) {
      const begun = performance.now()
      const killer = await killerOf(copy, mutant)
      const outcome = killer ? `killed by ${killer}` : 'SURVIVED'
      outcomes.set(mutant, outcome)
      console.log(`${mutant.id.padEnd(36)} ${outcome} (${Math.round((performance.now() - begun) / 1000)} s)`)
    }
    return report(outcomes)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function copyTree(copy: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  })
  for (const file of listed.split('\n')) {
    if (file === '' || SHARED.includes(file) || !existsSync(join(root, file))) continue
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(root, file), join(copy, file))
  }
  await mkdir(join(copy, 'dist'))
  for (const shared of SHARED)
    if (existsSync(join(root, shared))) await symlink(join(root, shared), join(copy, shared))
  if (existsSync(join(root, SERVED))) await cp(join(root, SERVED), join(copy, SERVED), { recursive: true })
}

/** All tests must pass without a mutant; otherwise failures would prove nothing. */
async function proveBaseline(copy: string): Promise<void> {
  for (const killers of gathered()) {
    if (await passes(copy, killers)) continue
    throw new Error(`tests of ${killers.project} fail without any fault: ${killers.files.join(' ')}`)
  }
}

/** The tests by project. */
function gathered(): Killers[] {
  const byProject = Map.groupBy(
    chosen.flatMap(({ killers }) => killers),
    ({ project }) => project,
  )
  return [...byProject].map(([project, all]) => ({
    project,
    files: [...new Set(all.flatMap(({ files }) => files))],
  }))
}

/** Returns the killer, undefined if none failed. */
async function killerOf(copy: string, { edits, killers }: Mutant): Promise<string | undefined> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const changed = editedFiles(edits, read)
  try {
    for (const [file, text] of changed) await writeBoth(copy, file, text)
    for (const tests of killers) if (!(await passes(copy, tests))) return tests.project
    return undefined
  } finally {
    for (const file of changed.keys()) await writeBoth(copy, file, read(file))
  }
}

/** Writes the file and its served copy. */
async function writeBoth(copy: string, file: string, text: string): Promise<void> {
  await writeFile(join(copy, file), text)
  if (!file.startsWith(ASSETS)) return
  const served = join(copy, SERVED, file.slice(ASSETS.length))
  if (existsSync(served)) await writeFile(served, text)
}

function passes(copy: string, { project, files }: Killers): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, '--bail', '1', ...files],
    { cwd: copy, stdio: 'ignore', timeout: RUN_MS_MAX },
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

function report(outcomes: Map<Mutant, string>): number {
  const survivors = [...outcomes].flatMap(([mutant, outcome]) => (outcome === 'SURVIVED' ? [mutant] : []))
  console.log(`\n${outcomes.size - survivors.length} of ${outcomes.size} killed`)
  for (const { id, says, survives } of survivors)
    console.log(`survived: ${id}: ${says}\n          ${survives ?? 'No reason is written beside it.'}`)
  const unexplained = survivors.filter(({ survives }) => survives === undefined)
  return survivors.length > SURVIVORS_MAX || unexplained.length > 0 ? 1 : 0
}
