import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { StartError } from '../start-error.ts'

/** A function, or a type that only functions use, from functions/SUBJECT/NAME.sql. */
export interface SqlFunction {
  name: string
  path: string
  kind: 'function' | 'type'
  /** Name, parameters and result, or a whole type: what `create or replace` cannot change. */
  head: string
  text: string
}

export interface FunctionSet {
  /** Functions of the highest version stay active. */
  version: string
  checksum: string
  /** In creation order: types after their component types, functions last. */
  functions: SqlFunction[]
}

interface InForce {
  version: string
  checksum: string
  heads: Record<string, Pick<SqlFunction, 'kind' | 'head'>>
}

export const FUNCTIONS_FOLDER = fileURLToPath(new URL('../../../functions/', import.meta.url))
const MANIFEST = fileURLToPath(new URL('../../../package.json', import.meta.url))
const START = /^create (?:or replace (function)|(type)) ([a-z_0-9]+)/

export async function readFunctions(
  folder: string = FUNCTIONS_FOLDER,
  version?: string,
): Promise<FunctionSet> {
  const names = await readdir(folder, { recursive: true })
  const paths = names.filter((path) => path.endsWith('.sql')).toSorted()
  const functions = await Promise.all(
    paths.map(async (path) => readFunction(path, await readFile(join(folder, path), 'utf8'))),
  )
  const hash = createHash('sha256')
  for (const { path, text } of functions) hash.update(`${path}\n${text}`)
  return {
    version: version ?? (await readVersion()),
    checksum: hash.digest('hex'),
    functions: inOrder(functions),
  }
}

/**
 * In the caller's transaction under the migrator's lock. Does nothing if this program's or, unless
 * `isRollBack`, a newer program's functions are installed. Replaces an unchanged signature in place, which
 * keeps cached plans valid; drops changed or removed ones. A rollback keeps additional newer functions,
 * because tables may use them. Returns whether anything changed.
 */
export async function putInForce(
  client: Client,
  set: FunctionSet,
  { hasMigrated, isRollBack = false }: { hasMigrated: boolean; isRollBack?: boolean },
): Promise<boolean> {
  const { rows } = await client.query<InForce>('select version, checksum, heads from schema_functions')
  const before = rows[0]
  if (before && isOlder(set.version, before.version) && !isRollBack) return false
  const isSame = before?.checksum === set.checksum && !hasMigrated
  let heads: InForce['heads'] = {}
  if (!isSame) {
    const dropped = await dropChanged(client, set, before?.heads ?? {}, isRollBack)
    if (isRollBack)
      heads = Object.fromEntries(Object.entries(before?.heads ?? {}).filter(([name]) => !dropped.has(name)))
    // A body may refer to a function of a later file.
    await client.query('set local check_function_bodies = off')
    for (const { kind, name, path, text } of set.functions) {
      if (kind === 'type' && before?.heads[name] && !dropped.has(name)) continue
      try {
        await client.query(text)
      } catch (error) {
        throw new Error(`functions/${path}: ${lineOf(error, text)}`, { cause: error })
      }
    }
  }
  for (const { name, kind, head } of set.functions) heads[name] = { kind, head }
  await client.query(
    `insert into schema_functions (version, checksum, heads) values ($1, $2, $3)
     on conflict (id) do update set version = excluded.version, checksum = excluded.checksum, heads = excluded.heads,
       put_at = case when schema_functions.checksum = excluded.checksum then schema_functions.put_at else now() end
     where (schema_functions.version, schema_functions.checksum) <> (excluded.version, excluded.checksum)`,
    [set.version, set.checksum, JSON.stringify(heads)],
  )
  return !isSame
}

/** A line is 0.1 of 0.1.3. Within a line migrations only add, so an older program runs on newer tables. */
export function isSameLine(version: string, other: string): boolean {
  const [line, otherLine] = [version, other].map((text) => text.split('.').slice(0, 2).join('.'))
  return line === otherLine
}

export function lineOf(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error)
  const position = 'position' in error ? Number.parseInt(String(error.position), 10) : Number.NaN
  if (Number.isNaN(position)) return error.message
  return `line ${text.slice(0, position).split('\n').length}: ${error.message}`
}

/** Drops functions first, in reverse order of creation; a changed type takes its dependents along. */
async function dropChanged(
  client: Client,
  set: FunctionSet,
  before: InForce['heads'],
  keepsFurther: boolean,
): Promise<Set<string>> {
  const now = new Map(set.functions.map((one) => [one.name, one]))
  const old = inOrder(Object.entries(before).map(([name, { kind, head }]) => ({ name, kind, head })))
  const gone = new Set<string>()
  for (const { name, kind, head } of old) {
    const next = now.get(name)
    const isChanged = next ? next.head !== head || next.kind !== kind : !keepsFurther
    if (isChanged || old.some((type) => gone.has(type.name) && uses(head, type))) gone.add(name)
  }
  for (const { name, kind } of old.toReversed()) {
    if (gone.has(name)) await client.query(`drop ${kind} if exists ${name}`)
  }
  return gone
}

function readFunction(path: string, text: string): SqlFunction {
  const code = text.replaceAll(/^\s*--.*$/gm, '').trim()
  const start = START.exec(code)
  const [, isFunction, , name = ''] = start ?? []
  if (!start || !path.endsWith(`/${name}.sql`)) {
    throw new StartError(
      `functions/${path} has to hold "create or replace function" or "create type" of its own name`,
    )
  }
  const kind = isFunction ? 'function' : 'type'
  const head = (kind === 'function' ? code.slice(0, code.search(/\slanguage\s/)) : code).replaceAll(
    /\s+/g,
    ' ',
  )
  return { name, path, kind, head, text }
}

function inOrder<T extends Pick<SqlFunction, 'name' | 'kind' | 'head'>>(all: readonly T[]): T[] {
  const types = all.filter(({ kind }) => kind === 'type')
  const placed: T[] = []
  const place = (type: T, above: readonly T[]) => {
    if (placed.includes(type)) return
    if (above.includes(type)) throw new StartError(`functions: the type ${type.name} is made of itself`)
    for (const part of types) if (uses(type.head, part) && part !== type) place(part, [...above, type])
    placed.push(type)
  }
  for (const type of types) place(type, [])
  return [...placed, ...all.filter(({ kind }) => kind === 'function')]
}

function uses(head: string, type: Pick<SqlFunction, 'name' | 'kind'>): boolean {
  return type.kind === 'type' && new RegExp(`\\b${type.name}\\b`).test(head)
}

async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string }).version
}

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  const place = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return place !== undefined && (a?.[place] ?? 0) < (b?.[place] ?? 0)
}
