import { parseSync } from 'rolldown/utils'
import type { Token } from './tokens.ts'

/** Names by the position of each word. */
export interface Names {
  /** Bound words: parameters, variables, functions, imports, aliases. */
  readonly bound: ReadonlySet<number>
  /** Shorthand properties such as `{ usd }`, by position. */
  readonly shorthand: ReadonlySet<number>
}

export interface Declaration {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* childrenOf(node: Node): Generator<[key: string, child: Node]> {
  for (const [key, value] of Object.entries(node))
    for (const child of [value].flat()) if (isNode(child)) yield [key, child]
}

export function readTypeScript(path: string, text: string, tokens: readonly Token[]) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const root = program as unknown as Node
  const identifiers = new Map<number, string>()
  const declared = new Set<string>()
  const shorthand = new Set<number>()
  collect(root, { identifiers, declared, shorthand })
  const bound = new Set([...identifiers].flatMap(([place, name]) => (declared.has(name) ? [place] : [])))
  const embedded = tokens.filter(({ template }) => template > 0)
  for (const place of boundInSql(embedded)) bound.add(place)
  return {
    names: { bound, shorthand } satisfies Names,
    declarations: [...declarationsOf(root)],
    unbound: unboundOf(identifiers, declared),
  }
}

const unboundOf = (identifiers: ReadonlyMap<number, string>, declared: ReadonlySet<string>) =>
  new Set([...identifiers.values()].filter((name) => !declared.has(name)))

/** Fields with patterns that a node binds. */
const BINDS: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  CatchClause: ['param'],
  ImportSpecifier: ['local'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSTypeParameter: ['name'],
}

/** Fields with a property name, unless computed. */
const NAMES_A_PROPERTY: Readonly<Record<string, string>> = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
  AccessorProperty: 'key',
  TSPropertySignature: 'key',
  TSMethodSignature: 'key',
  TSQualifiedName: 'right',
  ImportSpecifier: 'imported',
  MetaProperty: 'property',
}

interface Collected {
  readonly identifiers: Map<number, string>
  readonly declared: Set<string>
  readonly shorthand: Set<number>
}

function collect(node: Node, into: Collected): void {
  if (node.type === 'Identifier') into.identifiers.set(node.start, String(node.name))
  if (node.type === 'Property' && node.shorthand === true) into.shorthand.add(node.start)
  for (const [key, child] of childrenOf(node)) {
    if (BINDS[node.type]?.includes(key)) bind(child, into.declared)
    if (NAMES_A_PROPERTY[node.type] === key && node.computed !== true && child.type === 'Identifier') continue
    collect(child, into)
  }
}

/** `{ a, b: [c = 1, ...d] }`. */
function bind(pattern: Node, declared: Set<string>): void {
  if (pattern.type === 'Identifier') declared.add(String(pattern.name))
  const fields: Readonly<Record<string, readonly string[]>> = {
    ObjectPattern: ['properties'],
    Property: ['value'],
    ArrayPattern: ['elements'],
    AssignmentPattern: ['left'],
    RestElement: ['argument'],
    TSParameterProperty: ['parameter'],
  }
  for (const [key, child] of childrenOf(pattern))
    if (fields[pattern.type]?.includes(key)) bind(child, declared)
}

function* declarationsOf(root: Node): Generator<Declaration> {
  for (const [, statement] of childrenOf(root)) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement
    const { start, end } = statement
    for (const [key, child] of childrenOf(declaration)) {
      if (key === 'id') yield { name: String(child.name), start, end }
      if (key === 'declarations' && isNode(child.id)) yield { name: String(child.id.name), start, end }
      if (key === 'body' && child.type === 'ClassBody') yield* membersOf(child)
    }
  }
}

function* membersOf(body: Node): Generator<Declaration> {
  for (const [, member] of childrenOf(body)) {
    const { key, start, end } = member
    if (isNode(key))
      yield { name: `${key.type === 'PrivateIdentifier' ? '#' : ''}${String(key.name)}`, start, end }
  }
}

const SQL_WORDS = new Set(
  `bigint boolean bytea date integer jsonb numeric smallint text timestamptz uuid void
   all and any array as asc at begin between by case cast collate conflict constant continue create cross current declare default delete
   desc distinct do each else elsif end except excluded execute exists exit false filter first for foreach found from full function get
   group having if ilike immutable in inner inout insert intersect interval into is isnull join language last lateral left like limit
   locked loop materialized natural new next no not nothing notnull null nulls of offset old on only or order ordinality out outer over
   partition perform plpgsql query raise range recursive replace return returning returns right row rows security select set setof
   share similar skip some sql stable strict table then to trigger true union unique update using values variadic volatile when where
   while window with within without zone`.split(/\s+/),
)

const TYPESCRIPT_WORDS = new Set(
  `await break catch class const delete export extends finally function if import instanceof let new return static super switch this
   throw try typeof undefined void while yield async of satisfies string number boolean unknown never`.split(
    /\s+/,
  ),
)

export const isKeyword = (word: string, isSql: boolean): boolean =>
  (isSql ? SQL_WORDS : TYPESCRIPT_WORDS).has(word)

/** Positions of parameters, variables, aliases and common table expressions. */
export function boundInSql(tokens: readonly Token[]): Set<number> {
  const bound = new Set(boundNames(tokens.map(({ text }) => text)))
  return new Set(tokens.flatMap(({ text, start }) => (bound.has(text) ? [start] : [])))
}

const isName = (word: string | undefined) =>
  word !== undefined && /^[a-z_]\w*$/i.test(word) && !SQL_WORDS.has(word)

function* boundNames(words: readonly string[]): Generator<string> {
  let declares = false
  for (let at = 0; at < words.length; at += 1) {
    const [before = '', word = '', after] = [words[at - 1], words[at], words[at + 1]]
    if (word === 'function' && words[at + 2] === '(') {
      yield* listed(words, at + 2)
      at = closing(words, at + 2)
    } else if (word === 'declare' || word === 'begin') declares = word === 'declare'
    else if (!isName(word)) continue
    else if (declares) {
      if (before === 'declare' || before === ';') yield word
    } else if (isDefinition(words, at)) {
      yield word
      if (after === '(') {
        yield* listed(words, at + 1)
        at = closing(words, at + 1)
      }
    }
  }
}

/** True for an alias, with or without `as`, or the name of a common table expression. */
function isDefinition(words: readonly string[], at: number): boolean {
  const before = words[at - 1]
  if (before === 'as' || before === ')' || isName(before)) return true
  if (before === 'for' && words[at + 1] === 'in') return true
  const end = words[at + 1] === '(' ? closing(words, at + 1) + 1 : at + 1
  return (
    (before === 'with' || before === 'recursive' || before === ',') &&
    words[end] === 'as' &&
    ['(', 'materialized', 'not'].includes(words[end + 1] ?? '')
  )
}

/** The first name of each item of the list at `open`. */
function* listed(words: readonly string[], open: number): Generator<string> {
  const close = closing(words, open)
  let depth = 0
  let isFirst = true
  for (let at = open + 1; at < close; at += 1) {
    const word = words[at] ?? ''
    if (word === '(') depth += 1
    if (word === ')') depth -= 1
    if (depth === 0 && word === ',') isFirst = true
    else if (isFirst && isName(word)) {
      yield word
      isFirst = false
    }
  }
}

function closing(words: readonly string[], open: number): number {
  let depth = 0
  for (let at = open; at < words.length; at += 1) {
    if (words[at] === '(') depth += 1
    if (words[at] === ')' && --depth === 0) return at
  }
  return words.length
}
