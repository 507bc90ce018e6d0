import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boundInSql, type Declaration, isKeyword, type Names, readTypeScript } from './names.ts'
import { type Token, tokensOf } from './tokens.ts'

/**
 * `find` is code that occurs exactly once. White space, comments and the names that the file binds
 * (parameters, variables, aliases, imports) may differ; `…` stands for any code between. `put` replaces it,
 * with the same names.
 */
export interface Edit {
  /** An SQL function, `approve_orders`, or a declaration, `src/server/actions/actions.ts:mayDo`. */
  readonly place: string
  readonly find: string
  readonly put: string
}

export const replace = (place: string, find: string, put: string): Edit => ({ place, find, put })
export const remove = (place: string, find: string): Edit => ({ place, find, put: '' })
export const never = (place: string, condition: string): Edit => ({ place, find: condition, put: 'false' })
export const always = (place: string, condition: string): Edit => ({ place, find: condition, put: 'true' })

export function fileOf({ place }: Edit): string {
  const [path = ''] = place.split(':')
  const file = path.includes('/') ? path : sqlFunctions.get(path)
  if (file === undefined) throw new Error(`no function ${path} in functions/`)
  return file
}

const sqlFunctions = new Map(
  globSync('functions/*/*.sql', { cwd: fileURLToPath(new URL('../../', import.meta.url)) }).map((path) => [
    basename(path, '.sql'),
    path,
  ]),
)

export interface Source {
  readonly path: string
  readonly text: string
  readonly tokens: readonly Token[]
  readonly names: Names
  readonly declarations: readonly Declaration[]
  readonly isSql: boolean
}

export function sourceOf(path: string, text: string): Source {
  const isSql = path.endsWith('.sql')
  const tokens = tokensOf(text, isSql ? 'sql' : 'typescript')
  if (!isSql) return { path, text, tokens, isSql, ...readTypeScript(path, text, tokens) }
  return {
    path,
    text,
    tokens,
    isSql,
    names: { bound: boundInSql(tokens), shorthand: new Set() },
    declarations: [],
  }
}

export function edited(source: Source, edits: readonly Edit[]): string {
  let { text } = source
  const pieces = edits.map((edit) => pieceOf(source, edit)).toSorted((a, b) => b.start - a.start)
  pieces.forEach((piece, index) => {
    if ((pieces[index + 1]?.end ?? 0) > piece.start) throw new Error(`${source.path}: two edits overlap`)
    text = text.slice(0, piece.start) + piece.put + text.slice(piece.end)
  })
  return text
}

export function editedFiles(edits: readonly Edit[], read: (path: string) => string): Map<string, string> {
  const byFile = [...Map.groupBy(edits, fileOf)]
  return new Map(byFile.map(([path, own]) => [path, edited(sourceOf(path, read(path)), own)]))
}

/** Replaces only the differing words, so that comments around them stay. */
function pieceOf(source: Source, edit: Edit): { start: number; end: number; put: string } {
  const find = tokensOf(edit.find, 'pattern')
  const put = tokensOf(edit.put, 'pattern')
  const { spans, names } = onlyMatchOf(source, edit, find)
  let head = 0
  while (head < Math.min(find.length, put.length) && find[head]?.text === put[head]?.text) head += 1
  let tail = 0
  while (
    tail < Math.min(find.length, put.length) - head &&
    find.at(-1 - tail)?.text === put.at(-1 - tail)?.text
  )
    tail += 1
  const words = renamed(source, edit, put.slice(head, put.length - tail), names)
  const [first, last] = [spans[head], spans[find.length - tail - 1]]
  if (first && last && head < find.length - tail) {
    const [start, end] = [source.tokens[first.from]?.start ?? 0, source.tokens[last.to - 1]?.end ?? 0]
    return { start, end, put: ` ${words}` }
  }
  if (first) {
    const start = source.tokens[first.from]?.start ?? 0
    return { start, end: start, put: ` ${words} ` }
  }
  const start = source.tokens[(spans.at(-1)?.to ?? 0) - 1]?.end ?? 0
  return { start, end: start, put: ` ${words}` }
}

function renamed(
  source: Source,
  edit: Edit,
  words: readonly Token[],
  names: ReadonlyMap<string, string>,
): string {
  let text = ''
  let end = words[0]?.start ?? 0
  words.forEach((word, index) => {
    const [before, after] = [words[index - 1]?.text ?? '', words[index + 1]?.text ?? '']
    if (word.text === '…') throw new Error(`${edit.place}: … stands where the code changes`)
    const name = names.get(word.text) ?? word.text
    const isKey = !source.isSql && /^[{,]$/.test(before) && after === ':'
    const isProperty = before === '.' || before === '?.' || isKey
    const isShorthand =
      !source.isSql && /^[{,]$/.test(before) && /^[},]$/.test(after) && isInBraces(words, index)
    text += edit.put.slice(end, word.start)
    text += isProperty || name === word.text ? word.text : isShorthand ? `${word.text}: ${name}` : name
    end = word.end
  })
  return text
}

function isInBraces(words: readonly Token[], index: number): boolean {
  const open: string[] = []
  for (const { text } of words.slice(0, index))
    if (/^[([{]$/.test(text)) open.push(text)
    else if (/^[)\]}]$/.test(text)) open.pop()
  return open.at(-1) === '{'
}

/** Positions of the pattern's words, and names in the file by name in the pattern. */
interface Match {
  readonly spans: readonly Span[]
  readonly names: ReadonlyMap<string, string>
}

/** Tokens of the file, `to` excluded. */
interface Span {
  readonly from: number
  readonly to: number
}

function onlyMatchOf(source: Source, edit: Edit, find: readonly Token[]): Match {
  const { start, end } = declarationOf(source, edit)
  const matches = source.tokens.flatMap((token, at) => {
    const match = token.start >= start && token.end <= end ? matchAt(source, find, at, end) : null
    return match ? [match] : []
  })
  const [match] = matches
  if (!match || matches.length > 1)
    throw new Error(
      `${edit.place} has the code of a mutant ${matches.length} times instead of once: ${edit.find}`,
    )
  return match
}

function declarationOf(source: Source, { place }: Edit): { start: number; end: number } {
  const name = place.split(':')[1]
  if (name === undefined) return { start: 0, end: source.text.length }
  const found = source.declarations.filter((declaration) => declaration.name === name)
  if (found.length !== 1 || !found[0])
    throw new Error(`${source.path} declares ${name} ${found.length} times instead of once`)
  return found[0]
}

function matchAt(source: Source, find: readonly Token[], first: number, end: number): Match | null {
  const {
    tokens,
    names: { bound, shorthand },
  } = source
  const spans: Span[] = []
  const names = new Map<string, string>()
  const isBound = (at: number) => bound.has(tokens[at]?.start ?? -1)
  const textAt = (at: number) => ((tokens[at]?.end ?? Infinity) <= end ? tokens[at]?.text : undefined)

  /** Pairs two names if both are free. */
  const pairs = (name: string, called: string, at: number): boolean => {
    if (names.has(name)) return names.get(name) === called
    if (isKeyword(name, source.isSql || tokens[at]?.template !== 0) || !/^[\p{L}_$]/u.test(name)) return false
    if ([...names.values()].includes(called)) return false
    names.set(name, called)
    return true
  }
  const equals = (word: string, at: number): boolean => {
    const text = textAt(at)
    if (text === undefined || !isBound(at) || shorthand.has(tokens[at]?.start ?? -1)) {
      return text === word && (!isBound(at) || pairs(word, text, at))
    }
    return (text === word && textAt(at - 1) === '.') || pairs(word, text, at)
  }
  /** Tokens of a property that is written `{ a }` in one and `{ a: b }` in the other. */
  const asProperty = (index: number, at: number): readonly [words: number, tokens: number] | null => {
    const [word = '', colon, name = ''] = find.slice(index, index + 3).map(({ text }) => text)
    if (textAt(at) !== word) return null
    if (shorthand.has(tokens[at]?.start ?? -1)) return colon === ':' && pairs(name, word, at) ? [3, 1] : null
    const isLong = colon !== ':' && !isBound(at) && textAt(at + 1) === ':' && isBound(at + 2)
    return isLong && pairs(word, textAt(at + 2) ?? '', at + 2) ? [1, 3] : null
  }
  const tried = (attempt: () => boolean): boolean => {
    const [known, length] = [new Map(names), spans.length]
    if (attempt()) return true
    names.clear()
    for (const [name, called] of known) names.set(name, called)
    spans.length = length
    return false
  }
  const follows = (index: number, at: number): boolean => {
    const word = find[index]?.text
    if (word === undefined) return true
    if (textAt(at) === undefined) return false
    if (word === '…') {
      for (let next = at; textAt(next) !== undefined; next += 1)
        if (tried(() => (spans.push({ from: at, to: next }), follows(index + 1, next)))) return true
      return false
    }
    if (tried(() => equals(word, at) && (spans.push({ from: at, to: at + 1 }), follows(index + 1, at + 1))))
      return true
    return tried(() => {
      const property = asProperty(index, at)
      if (!property) return false
      for (let count = 0; count < property[0]; count += 1) spans.push({ from: at, to: at + property[1] })
      return follows(index + property[0], at + property[1])
    })
  }
  /** Skips `b` of `{ a: b }`: a pattern that begins with `a` matches from there. */
  const isValue = textAt(first - 1) === ':' && textAt(first - 2) === find[0]?.text && !isBound(first - 2)
  return !isValue && follows(0, first) ? { spans, names } : null
}
