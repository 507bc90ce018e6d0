import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = `${root}test/faults/`
const patches = readdirSync(folder)

test('there are at least twenty known faults for the simulation to find, each with its name', () => {
  expect(patches.filter((name) => name.endsWith('.patch')).length).toBeGreaterThanOrEqual(20)
  for (const name of patches) expect(readFileSync(folder + name, 'utf8')).toMatch(/^[A-Z].+\n\ndiff --git /)
})

test.each(patches)('a known fault can be put back: %s', (name) => {
  execFileSync('git', ['apply', '--check', folder + name], { cwd: root })
})
