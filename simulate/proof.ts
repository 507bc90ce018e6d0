// npm run simulate:proof: puts each known fault of test/faults/ back, alone, in a copy of the program, and says after how many steps the
// simulation finds it. One that is not found fails. Name faults to prove only those.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const FAULTS = join(root, 'test/faults')
/** All that a simulation needs of the program. */
const PARTS = [
  'src',
  'functions',
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

const all = (await readdir(FAULTS)).filter((name) => name.endsWith('.patch')).map((name) => name.slice(0, -6))
const chosen = positionals.length > 0 ? positionals : all.toSorted()
let missed = 0
console.log(`| Fault | Found after | Seconds | By |\n| --- | --: | --: | --- |`)
for (const name of chosen) {
  const begun = performance.now()
  const { found, by } = await find(name)
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  if (found === null) missed += 1
  console.log(`| ${await titleOf(name)} | ${found ?? `not in ${values.steps} steps`} | ${seconds} | ${by} |`)
}
console.log(`${chosen.length - missed} of ${chosen.length} found`)
process.exitCode = missed === 0 ? 0 : 1

/** The first line of a patch says what the fault is. */
async function titleOf(name: string): Promise<string> {
  return (await readFile(join(FAULTS, `${name}.patch`), 'utf8')).split('\n')[0] ?? name
}

async function find(name: string): Promise<{ found: string | null; by: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'fault-'))
  try {
    for (const part of PARTS) await cp(join(root, part), join(folder, part), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await run('git', ['apply', join(FAULTS, `${name}.patch`)], { cwd: folder })
    const { stdout, stderr } = await simulate(folder)
    const [, found = null, by = ''] = /broken after (\d+) steps.*\n(.*)/.exec(stdout) ?? []
    if (found === null && !stdout.includes('nothing broken')) throw new Error(`${name}: ${stdout}${stderr}`)
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
