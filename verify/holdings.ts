import { hexFromBytes } from './bytes.ts'
import { parseCanonical } from './canonical.ts'
import { formatDecimal, parseAmount } from './decimals.ts'
import { LogFault } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { checkInclusion, type Proven } from './inclusion.ts'
import type { VerifierKey } from './notes.ts'

// A buyer's leaf in a day's Merkle sum tree: docs/journal.md, “What buyers hold”.

/** Sums are stored in 16 bytes. */
const SUM_MAX = (1n << 128n) - 1n
const SUM_BYTES = 16
const HASH_BYTES = 32
const DEPTH_MAX = 48
const MICRO = 10n ** 12n

export interface HoldingLeaf {
  origin: string
  day: string
  index: number
  holder: string
  salt: string
  purchased: string
  bonus: string
  granted: string
}

interface Node {
  hash: Uint8Array
  /** In millionths of a token. */
  sum: bigint
}

export interface CheckedHolding {
  leaf: HoldingLeaf
  /** The holder's tokens, and the total. */
  tokens: string
  sum: string
  proven: Proven
}

const FORM: Readonly<Record<string, (value: unknown) => boolean>> = {
  v: (value) => value === 1,
  origin: (value) => typeof value === 'string',
  day: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  index: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  holder: (value) => isHex(value),
  salt: (value) => isHex(value),
  purchased: (value) => parseAmount(value, 6) !== undefined,
  bonus: (value) => parseAmount(value, 6) !== undefined,
  granted: (value) => parseAmount(value, 6) !== undefined,
}

const isHex = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const bytesFromHex = (text: string) =>
  Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))

function parseLeaf(text: string): HoldingLeaf {
  const leaf = parseCanonical(text)
  const isObject = typeof leaf === 'object' && leaf !== null && !Array.isArray(leaf)
  const fields = isObject ? leaf : {}
  const wrong = Object.keys({ ...FORM, ...fields }).find((name) => !FORM[name]?.(fields[name]))
  if (wrong !== undefined) throw new LogFault(`The leaf has no good field ${wrong}.`)
  return fields as unknown as HoldingLeaf
}

function microOf(tokens: unknown): bigint {
  const value = parseAmount(tokens, 6)
  if (value === undefined) throw new LogFault(`“${String(tokens)}” is no number of tokens.`)
  return value / MICRO
}

function parsePath(path: unknown): Node[] {
  if (!Array.isArray(path) || path.length > DEPTH_MAX) throw new LogFault('The file has no path.')
  return path.map((node: Record<string, unknown> | null) => {
    if (!isHex(node?.['hash'])) throw new LogFault('A node of the path has no hash.')
    return { hash: bytesFromHex(node?.['hash'] as string), sum: microOf(node?.['sum']) }
  })
}

/** The root over a leaf and its siblings. Both sums are hashed; none is negative or overflows. */
function rootOf(sha256: Sha256, text: string, leaf: HoldingLeaf, path: readonly Node[]): Node {
  const bytes = new TextEncoder().encode(text)
  const sum = microOf(leaf.purchased) + microOf(leaf.bonus) + microOf(leaf.granted)
  let node: Node = { hash: sha256(Uint8Array.of(0, ...bytes)), sum }
  let index = leaf.index
  for (const sibling of path) {
    const [left, right] = index % 2 === 0 ? [node, sibling] : [sibling, node]
    node = joined(sha256, left, right)
    index = Math.floor(index / 2)
  }
  if (index !== 0) throw new LogFault(`The tree has no leaf ${leaf.index}.`)
  return node
}

function joined(sha256: Sha256, left: Node, right: Node): Node {
  const half = HASH_BYTES + SUM_BYTES
  const bytes = new Uint8Array(1 + 2 * half)
  bytes[0] = 1
  for (const [at, { hash, sum }] of [left, right].entries()) {
    bytes.set(hash, 1 + at * half)
    for (let byte = 0; byte < SUM_BYTES; byte += 1)
      bytes[1 + at * half + HASH_BYTES + byte] = Number((sum >> BigInt(8 * (SUM_BYTES - 1 - byte))) & 255n)
  }
  const sum = left.sum + right.sum
  if (left.sum > SUM_MAX || right.sum > SUM_MAX || sum > SUM_MAX)
    throw new LogFault('A sum of the path does not fit.')
  return { hash: sha256(bytes), sum }
}

// Rules: LOG-12
/**
 * Throws a LogFault with the reason if the leaf does not lead to the root and sum of an entry of the log
 * with this key.
 */
export async function checkHolding(sha256: Sha256, text: string, key: VerifierKey): Promise<CheckedHolding> {
  const file = parseFile(text)
  const leaf = parseLeaf(file.leaf)
  const path = parsePath(file.path)
  const root = rootOf(sha256, file.leaf, leaf, path)
  const proven = await checkInclusion(sha256, file.proof, key)
  const sum = formatDecimal(root.sum * MICRO)
  const expected = {
    kind: 'holdings.summed',
    origin: leaf.origin,
    day: leaf.day,
    depth: path.length,
    root: hexFromBytes(root.hash),
    sum,
  }
  const said = parseCanonical(proven.entry)
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    throw new LogFault(`Entry ${proven.index} is no object in canonical JSON.`)
  for (const [name, value] of Object.entries(expected))
    if (said[name] !== value)
      throw new LogFault(`The leaf leads to the ${name} ${value}; entry ${proven.index} says ${said[name]}.`)
  const { origin } = proven.checkpoint
  if (leaf.origin !== origin)
    throw new LogFault(`The leaf and entry ${proven.index} are of the log ${leaf.origin}, not ${origin}.`)
  const tokens = microOf(leaf.purchased) + microOf(leaf.bonus) + microOf(leaf.granted)
  return { leaf, tokens: formatDecimal(tokens * MICRO), sum, proven }
}

export function isHolder(sha256: Sha256, { salt, holder }: HoldingLeaf, address: string): boolean {
  const normal = new TextEncoder().encode(address.trim().toLowerCase())
  return hexFromBytes(sha256(Uint8Array.of(...bytesFromHex(salt), ...normal))) === holder
}

function parseFile(text: string): { leaf: string; path: unknown; proof: string } {
  let file: Record<string, unknown> | null = null
  try {
    file = JSON.parse(text)
  } catch {
    // Reported below.
  }
  const { v, leaf, path, proof } = file ?? {}
  if (v !== 1 || typeof leaf !== 'string' || typeof proof !== 'string')
    throw new LogFault('This is no file of a leaf.')
  return { leaf, path, proof }
}
