import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { seededBugs } from '../simulate/seeded-bugs.ts'
import { type Edit, edited, fileOf, type Source, sourceOf } from './mutants/edit.ts'
import { mutants } from './mutants/list.ts'
import { tokensOf } from './mutants/tokens.ts'

// `npm run mutants` and `npm run simulate:proof` run them. These tests only prove that each still fits the code that it changes.

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

const boundIn = ({ tokens, names }: Source) =>
  new Set(tokens.flatMap(({ text, start }) => (names.bound.has(start) ? [text] : [])))

/** The file with other names for `chosen`, except behind a dot. */
function renamed({ path, text, tokens, names }: Source, chosen: ReadonlySet<string>): Source {
  let [changed, end] = ['', 0]
  tokens.forEach((token, index) => {
    changed += text.slice(end, token.start)
    end = token.end
    const isRenamed =
      names.bound.has(token.start) && chosen.has(token.text) && tokens[index - 1]?.text !== '.'
    const isProperty = isRenamed && names.shorthand.has(token.start)
    changed += isProperty ? `${token.text}: ${token.text}_x` : isRenamed ? `${token.text}_x` : token.text
  })
  return sourceOf(path, changed + text.slice(end))
}

test('each mutant has an id of its own, and so has each seeded bug', () => {
  for (const list of [mutants, seededBugs]) expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
})

test.each([...mutants, ...seededBugs])(
  '$id finds its code once, also where every name of the file is another one',
  ({ edits }) => {
    expect(edits).not.toEqual([])
    for (const [path, own] of Map.groupBy(edits, fileOf)) {
      const source = read(path)
      const isPlace = (name: string) => own.some(({ place }: Edit) => place.endsWith(`:${name}`))
      const chosen = new Set([...boundIn(source)].filter((name) => !isPlace(name)))
      const mutated = sourceOf(path, edited(source, own))
      expect(wordsOf(mutated)).not.toBe(wordsOf(source))
      const text = edited(renamed(source, chosen), own)
      expect(wordsOf({ path, text })).toBe(wordsOf(renamed(mutated, chosen)))
    }
  },
)

test.each(mutants)('$id names tests that exist', ({ killers }) => {
  expect(killers).not.toEqual([])
  for (const { files } of killers)
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true)
})
