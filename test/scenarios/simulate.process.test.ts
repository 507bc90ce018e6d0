import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** A sale with all that can happen to it, from a seed that never was; .ci/run has one that is always the same. */
test('a simulated sale keeps every rule: a fresh seed', async () => {
  const args = ['simulate/simulate.ts', '--steps', '10000']
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  expect(stdout + stderr).toContain('nothing broken')
})

/** Earlier failures of the simulation stay fixed. */
test('every sequence that a simulation once broke keeps every rule', async () => {
  const found = await readdir(`${root}/simulate/found`)
  const args = ['simulate/simulate.ts', ...found.flatMap((file) => ['--replay', `simulate/found/${file}`])]
  const { stdout } = await run(process.execPath, args, { cwd: root })
  for (const file of found) expect(stdout).toContain(`${file}: nothing broken`)
})
