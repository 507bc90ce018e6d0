// npm run simulate:proof -- [--steps N] [--seed N] [ID …]: Applies each bug of seeded-bugs.ts to a copy of
// the program and prints when the simulation finds it. Fails if it does not.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { editedFiles } from '../test/mutants/edit.ts'
import type { SeededBug } from '../test/mutants/mutant.ts'
import { seededBugs } from './seeded-bugs.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const PARTS = [
  'src',
  'functions',
  'locales',
  'migrations',
  'simulate',
  'test/chains',
  'test/support',
  'contracts/artifacts',
  'package.json',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
})

const chosen = positionals.length > 0 ? positionals.map(bugOf) : seededBugs
let missed = 0
console.log(`| Bug | Found after | Seconds | By |\n| --- | --: | --: | --- |`)
for (const bug of chosen) {
  const begun = performance.now()
  const { found, by } = await find(bug)
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  if (found === null) missed += 1
  console.log(`| ${bug.says} | ${found ?? `not in ${values.steps} steps`} | ${seconds} | ${by} |`)
}
console.log(`${chosen.length - missed} of ${chosen.length} found`)
process.exitCode = missed === 0 ? 0 : 1

function bugOf(id: string): SeededBug {
  const bug = seededBugs.find((one) => one.id === id)
  if (!bug) throw new Error(`no such bug: ${id}`)
  return bug
}

async function find({ id, edits }: SeededBug): Promise<{ found: string | null; by: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'seeded-bug-'))
  try {
    for (const part of PARTS) await cp(join(root, part), join(folder, part), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const changed = editedFiles(edits, (path) => readFileSync(join(root, path), 'utf8'))
    for (const [path, text] of changed) await writeFile(join(folder, path), text)
    const { stdout, stderr } = await simulate(folder)
    const [, found = null, by = ''] = /broken after (\d+) steps.*\n(.*)/.exec(stdout) ?? []
    if (found === null && !stdout.includes('nothing broken')) throw new Error(`${id}: ${stdout}${stderr}`)
    return { found, by: by.replaceAll('|', '/').slice(0, 90) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function simulate(folder: string): Promise<{ stdout: string; stderr: string }> {
  const { steps, seed } = values
  return run(process.execPath, ['simulate/simulate.ts', '--brief', '--steps', steps, '--seed', seed], {
    cwd: folder,
  }).catch((error: { stdout: string; stderr: string }) => error)
}
