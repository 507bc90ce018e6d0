import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../src/shared/error-codes.ts'

// An error code that no test expects may be unreachable. This only checks that a test names each code.

const root = fileURLToPath(new URL('../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 50_000_000,
})
const files = listed.split('\n').filter((path) => path !== '' && existsSync(root + path))
const textOf = (path: string) => readFileSync(root + path, 'utf8')
const tests = files
  .filter((path) => /^(src\/server|test)\/.*\.test\.ts$/.test(path) && path !== 'test/refusals.test.ts')
  .map(textOf)
const isNamed = (code: string) => tests.some((text) => new RegExp(`['" ]${code}['" ]`).test(text))

test.each(Object.keys(errorCodes))('%s is expected by a test', (code) => {
  expect(isNamed(code), `Fix: test that ${code} is refused, and that nothing changed.`).toBe(true)
})

test('what a SQL function refuses is a code that people are told', () => {
  const returned = files
    .filter((path) => path.startsWith('functions/'))
    .flatMap((path) => [...textOf(path).matchAll(/(?:refusal := |return )'(\w+)'/g)].map(([, code]) => code))
  expect(returned.length).toBeGreaterThan(15)
  // An order's state is in its own column.
  const states = ['under_review']
  for (const code of returned) expect([...Object.keys(errorCodes), ...states]).toContain(code)
})
