import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// docs/asvs.md names the evidence of each requirement: it must exist, and the counts must match.

const root = fileURLToPath(new URL('../', import.meta.url))
const text = readFileSync(`${root}docs/asvs.md`, 'utf8')
const rows = text
  .split('\n')
  .map((line) => /^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, id = '', asks = '', state = '', shown = '']) => ({ id, asks, state, shown }))
const inState = (state: string) => rows.filter((row) => row.state === state)
const pathsIn = (shown: string) =>
  [...shown.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[A-Z]+\.md)`/g)].map(([, path = '']) => path)

test('each of the 221 requirements of level 2 stands once, in one of four states', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(221)
  expect(rows).toHaveLength(221)
  const states = ['met', 'accepted', 'not yet', 'not applicable'].map((state) => inState(state).length)
  expect(states.reduce((sum, count) => sum + count)).toBe(221)
  const [met, accepted, notYet, notApplicable = 0] = states
  expect(/^\| \d+ \| \d+ \| \d+ \| \d+ \| \d+ \|$/m.exec(text)?.[0]).toBe(
    `| ${221 - notApplicable} | ${met} | ${accepted} | ${notYet} | ${notApplicable} |`,
  )
  expect(notApplicable).toBe(29)
  expect(accepted).toBeLessThanOrEqual(10)
})

test('what a row names exists', () => {
  const missing = rows.flatMap(({ id, shown }) =>
    pathsIn(shown).flatMap((path) => (existsSync(root + path) ? [] : [`${id}: ${path}`])),
  )
  expect(missing).toEqual([])
})

test('what is said to be met names what shows it', () => {
  const unnamed = inState('met').filter(({ shown }) => pathsIn(shown).length === 0 && !/`sql`/.test(shown))
  expect(unnamed.map(({ id }) => id)).toEqual([])
})
