import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Edit, edited, fileOf, type Source, sourceOf } from './mutants/edit.ts'
import { mutants } from './mutants/list.ts'
import { tokensOf } from './mutants/tokens.ts'

// `npm run mutants` runs the mutants. These tests only prove that each still fits the code that it changes.

const root = fileURLToPath(new URL('../', import.meta.url))
const sources = new Map<string, Source>()

function read(path: string): Source {
  const source = sources.get(path) ?? sourceOf(path, readFileSync(join(root, path), 'utf8'))
  sources.set(path, source)
  return source
}

const wordsOf = ({ path, text }: Pick<Source, 'path' | 'text'>) =>
  tokensOf(text, path.endsWith('.sql') ? 'sql' : 'typescript')
    .map((token) => token.text)
    .join('\n')

/** The file with another name for everything that it binds, apart from `kept` and names behind a dot. */
function renamed({ path, text, tokens, names }: Source, kept: ReadonlySet<string>): Source {
  let [changed, end] = ['', 0]
  tokens.forEach((token, index) => {
    changed += text.slice(end, token.start)
    end = token.end
    const isRenamed = names.bound.has(token.start) && !kept.has(token.text) && tokens[index - 1]?.text !== '.'
    const isProperty = isRenamed && names.shorthand.has(token.start)
    changed += isProperty ? `${token.text}: ${token.text}_x` : isRenamed ? `${token.text}_x` : token.text
  })
  return sourceOf(path, changed + text.slice(end))
}

test('each mutant has an id of its own', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

test.each(mutants)(
  '$id finds its code once, also where every name of the file is another one',
  ({ edits }) => {
    expect(edits).not.toEqual([])
    for (const [path, own] of Map.groupBy(edits, fileOf)) {
      const source = read(path)
      const kept = new Set(own.map(({ place }: Edit) => place.split(':')[1] ?? ''))
      const mutated = sourceOf(path, edited(source, own))
      expect(wordsOf(mutated)).not.toBe(wordsOf(source))
      const text = edited(renamed(source, kept), own)
      expect(wordsOf({ path, text })).toBe(wordsOf(renamed(mutated, kept)))
    }
  },
)

test.each(mutants)('$id names tests that exist', ({ killers }) => {
  expect(killers).not.toEqual([])
  for (const { files } of killers)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
})
