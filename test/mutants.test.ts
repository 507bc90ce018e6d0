import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mutants } from './mutants/list.ts'

// `npm run mutants` runs them; here is held only that each still fits the code that it changes.

const root = fileURLToPath(new URL('../', import.meta.url))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('each mutant has an id of its own', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

test.each(mutants)('$id changes a text that stands exactly once', ({ edits }) => {
  for (const [file, from, to] of edits) {
    expect(textOf(file).split(from).length - 1, `${file}: ${from}`).toBe(1)
    expect(to).not.toBe(from)
  }
})

test.each(mutants)('$id names tests that exist', ({ killers }) => {
  expect(killers).not.toEqual([])
  for (const { files } of killers)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
})
