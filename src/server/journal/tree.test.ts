import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkHolding, isHolder } from '../../../verify/holdings.ts'
import { sha256 as nodeSha256 } from '../../../verify/node-hash.ts'
import { cosignersOf, parseVerifierKey, parseWitnessKey } from '../../../verify/notes.ts'
import { jsonOf, LogWriter } from '../../../verify/testing/log-writer.ts'
import { decimal } from '../../../verify/testing/sale.ts'
import * as stranger from '../../../verify/tree.ts'
import {
  type NoteKey,
  NoteSigner,
  newNoteKey,
  parseNoteKey,
  splitNote,
  verifiedLines,
} from '../signed-note.ts'
import {
  consistencyProof,
  inclusionProof,
  isConsistent,
  type ReadTiles,
  rootOf as rootOfPath,
} from './proofs.ts'
import {
  leafNode,
  packTile,
  type SumNode,
  type SumTile,
  SumTreeBuilder,
  sumPath,
  unpackTile,
} from './sum-tree.ts'
import { GrowingTree, growingTiles, leafHash, type Tile } from './tree.ts'

const leaf = (n: number) => leafHash(Buffer.from(`entry ${n}`))
const sha256 = (...parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

/** The root as RFC 6962 defines it, by recursion over all leaves. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leaves[0] as Buffer
  let left = 1
  while (left * 2 < leaves.length) left *= 2
  return sha256(Buffer.from([1]), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)))
}

/** Grows a tree in steps, each a tree that is read anew from the tiles there are, as each pass of the sequencer does. */
function grow(steps: readonly number[]) {
  const tiles = new Map<string, Tile>()
  let size = 0
  let root: Buffer = sha256()
  for (const step of steps) {
    const edge = growingTiles(BigInt(size)).map(
      ({ level, number }) => tiles.get(`${level}/${number}`) as Tile,
    )
    const tree = new GrowingTree(BigInt(size), edge)
    for (let n = 0; n < step; n++) tree.append(leaf(size + n))
    for (const tile of tree.changed()) tiles.set(`${tile.level}/${tile.number}`, tile)
    size += step
    expect(tree.size).toBe(BigInt(size))
    root = tree.root()
  }
  return { tiles, root, size }
}

test('a tree that grows in any steps has the root of RFC 6962, and its tiles the hashes of tlog-tiles', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 5 }), (steps) => {
      const { tiles, root, size } = grow(steps)
      const leaves = Array.from({ length: size }, (_, n) => leaf(n))
      expect(root).toEqual(rootOf(leaves))
      for (let level = 0, width = size; width > 0; level++, width = Math.floor(width / 256))
        for (let number = 0; number * 256 < width; number++) {
          const hashes = Array.from({ length: Math.min(256, width - number * 256) }, (_, n) => {
            const first = (number * 256 + n) * 256 ** level
            return rootOf(leaves.slice(first, first + 256 ** level))
          })
          expect(tiles.get(`${level}/${number}`)?.hashes).toEqual(Buffer.concat(hashes))
        }
    }),
    { markInterruptAsFailure: true, numRuns: 30 },
  ))

test('a tree of three levels has the root of RFC 6962', () => {
  const size = 256 * 256 + 257
  const { root, tiles } = grow([size - 1, 1])
  expect(root).toEqual(rootOf(Array.from({ length: size }, (_, n) => leaf(n))))
  expect(tiles.get('2/0')?.hashes).toHaveLength(32)
})

test('proofs made of tiles are those of RFC 6962, and one that is changed in any way proves nothing', async () => {
  const { tiles, size } = grow([700])
  const read: ReadTiles = async () => new Map([...tiles].map(([name, { hashes }]) => [name, hashes]))
  const leaves = Array.from({ length: size }, (_, n) => leaf(n))
  const headOf = (count: number) => ({ size: BigInt(count), root: rootOf(leaves.slice(0, count)) })
  const hash = new stranger.TreeHash(nodeSha256)
  const place = fc.integer({ min: 1, max: size })
  await fc.assert(
    fc.asyncProperty(place, place, fc.nat(), async (one, other, at) => {
      const [older, newer] = [headOf(Math.min(one, other)), headOf(Math.max(one, other))]
      const proof = await consistencyProof(older.size, newer.size, read)
      expect(isConsistent(older, newer, proof)).toBe(true)
      const sizes = [older, newer].map((head) => ({ ...head, size: Number(head.size) }))
      const [a, b] = sizes as [{ size: number; root: Buffer }, { size: number; root: Buffer }]
      expect(stranger.isConsistent(hash, a, b, proof)).toBe(true)
      const wrong = proof.map((bytes, index) => (index === at % proof.length ? leaf(-1) : bytes))
      expect(isConsistent(older, newer, wrong)).toBe(proof.length === 0)
      expect(isConsistent(older, newer, [...proof, leaf(0)])).toBe(false)
      expect(isConsistent(older, newer, proof.slice(1))).toBe(proof.length === 0)
      expect(isConsistent({ ...older, root: leaf(-1) }, newer, proof)).toBe(false)
      expect(isConsistent(older, { ...newer, root: leaf(-1) }, proof)).toBe(false)
      const index = at % b.size
      const path = await inclusionProof(BigInt(index), newer.size, read)
      const leads = stranger.rootFromInclusion(hash, { index, size: b.size }, leaf(index), path)
      expect(leads && newer.root.equals(leads)).toBe(true)
      expect(rootOfPath(BigInt(index), newer.size, leaf(index), path)).toEqual(newer.root)
    }),
    { markInterruptAsFailure: true, numRuns: 100 },
  )
  expect(isConsistent(headOf(0), headOf(9), [])).toBe(true)
  expect(isConsistent(headOf(9), headOf(4), [])).toBe(false)
})

test('a checkpoint has origin, size and root in its lines, and names its key', () => {
  const signer = new NoteSigner('sale.example/journal', newNoteKey())
  const [name, id, ...key] = signer.vkey.split('+')
  expect(name).toBe('sale.example/journal')
  expect(Buffer.from(key.join('+'), 'base64')).toHaveLength(33)
  const lines = signer.signCheckpoint(3n, Buffer.alloc(32, 7)).split('\n')
  expect(lines.slice(0, 4)).toEqual(['sale.example/journal', '3', Buffer.alloc(32, 7).toString('base64'), ''])
  const [dash, signedBy, signature = ''] = lines[4]?.split(' ') ?? []
  expect([dash, signedBy]).toEqual(['—', 'sale.example/journal'])
  expect(Buffer.from(signature, 'base64').subarray(0, 4).toString('hex')).toBe(id)
  expect(lines.slice(5)).toEqual([''])
})

test('who has signed a checkpoint several times is one witness, here and for a stranger [LOG-28]', async () => {
  const witness = new NoteSigner('witness.example/w', newNoteKey(), 'cosignature')
  const note = new NoteSigner('log.example/journal', newNoteKey()).signCheckpoint(0n, sha256())
  const text = splitNote(note)?.text ?? ''
  const lines = [1, 2, 3].map((second) => witness.cosign(text, new Date(second * 1_000)))
  const signed = splitNote(`${note}${lines.join('')}`)
  const key = parseNoteKey(witness.vkey, 'cosignature') as NoteKey
  expect(verifiedLines(text, signed?.signatures ?? [], [key])).toHaveLength(1)
  const found = await cosignersOf(`${note}${lines.join('')}`, [parseWitnessKey(nodeSha256, witness.vkey)])
  expect(found.map(({ seconds }) => seconds)).toEqual([1n])
})

const uint128 = (sum: bigint) => Buffer.from(sum.toString(16).padStart(32, '0'), 'hex')

/** The sum tree as docs/journal.md defines it, by recursion over 2^depth leaves. */
function sumRootOf(leaves: readonly SumNode[], depth: number): SumNode {
  if (depth === 0) return leaves[0] ?? { hash: sha256(Buffer.of(2)), sum: 0n }
  const half = 2 ** (depth - 1)
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)].map((part) =>
    sumRootOf(part, depth - 1),
  ) as [SumNode, SumNode]
  const hash = sha256(Buffer.of(1), left.hash, uint128(left.sum), right.hash, uint128(right.sum))
  return { hash, sum: left.sum + right.sum }
}

const EMPTY_HASH = sha256(Buffer.of(2))
const DAY = '2026-11-23'
const leafText = (index: number, micro: bigint, fields: Record<string, unknown> = {}) =>
  jsonOf({
    v: 1,
    origin: 'sale.example/journal',
    day: DAY,
    index,
    salt: 'ab'.repeat(32),
    holder: sha256(Buffer.from('ab'.repeat(32), 'hex'), Buffer.from(`buyer${index}@example.org`)).toString(
      'hex',
    ),
    purchased: decimal(micro, 6),
    bonus: '0',
    granted: '0',
    ...fields,
  })

function sumTreeOf(amounts: readonly bigint[]) {
  const texts = amounts.map((micro, index) => leafText(index, micro))
  const leaves = texts.map((text, at) => leafNode(text, amounts[at] as bigint))
  const builder = new SumTreeBuilder()
  for (const one of leaves) builder.append(one)
  const { depth, root } = builder.finish()
  const tiles = new Map(
    builder.take().map((tile: SumTile) => [`${tile.level}/${tile.number}`, packTile(tile)]),
  )
  const readTile = async (level: number, number: bigint) => {
    const tile = tiles.get(`${level}/${number}`)
    return tile ? unpackTile(tile) : []
  }
  const pathOf = async (index: number) =>
    (await sumPath(BigInt(index), depth, readTile)).map(({ hash, sum }) => ({
      hash: hash.toString('hex'),
      sum: decimal(sum, 6),
    }))
  return { texts, leaves, depth, root, pathOf }
}

/** The proof of a leaf by a log with this statement of a tree, and a stranger's judgement. */
function judged({ depth, root }: { depth: number; root: SumNode }, said: Record<string, unknown> = {}) {
  const log = new LogWriter()
  log.append({
    v: 1,
    kind: 'holdings.summed',
    at: `${DAY}T00:01:00.000Z`,
    row: 'journal_facts/9',
    subject: 'holding_trees/1',
    origin: log.origin,
    day: DAY,
    depth,
    root: root.hash.toString('hex'),
    sum: decimal(root.sum, 6),
    ...said,
  })
  const key = parseVerifierKey(nodeSha256, log.key.vkey)
  return (text: string, path: unknown) =>
    checkHolding(nodeSha256, JSON.stringify({ v: 1, leaf: text, path, proof: log.proof(0) }), key)
}

test('a sum tree of any size has the root that its specification defines, and a stranger finds each leaf in it [LOG-12]', async () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n })
  const sizes = fc.oneof(
    fc.array(amounts, { maxLength: 20 }),
    fc
      .constantFrom(255, 256, 257, 512, 513, 700)
      .chain((length) => fc.array(amounts, { minLength: length, maxLength: length })),
  )
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (held, pick) => {
      const { texts, leaves, depth, root, pathOf } = sumTreeOf(held)
      expect(2 ** depth).toBeGreaterThanOrEqual(held.length)
      expect(root).toEqual(sumRootOf(leaves, depth))
      expect(root.sum).toBe(held.reduce((sum, micro) => sum + micro, 0n))
      if (held.length === 0) return
      const index = pick % held.length
      const found = await judged({ depth, root })(texts[index] as string, await pathOf(index))
      expect(found).toMatchObject({
        leaf: { index, day: DAY },
        sum: decimal(root.sum, 6),
        tokens: decimal(held[index] as bigint, 6),
      })
    }),
    { numRuns: 25 },
  )
  // Three levels of tiles.
  const size = 65_537
  const builder = new SumTreeBuilder()
  for (let at = 0; at < size; at++) builder.append({ hash: EMPTY_HASH, sum: BigInt(at) })
  const { depth, root } = builder.finish()
  expect(depth).toBe(17)
  expect(root).toEqual(
    sumRootOf(
      Array.from({ length: size }, (_, at) => ({ hash: EMPTY_HASH, sum: BigInt(at) })),
      17,
    ),
  )
})

test('a stranger takes no leaf that the tree does not hold, and no sum that was made smaller [LOG-12]', async () => {
  const held = [5n, 7_000_000n, 11n, 13n, 17n]
  const tree = sumTreeOf(held)
  const check = judged(tree)
  const path = await tree.pathOf(2)
  const text = tree.texts[2] as string
  const ours = await check(text, path)
  expect(isHolder(nodeSha256, ours.leaf, ' Buyer2@Example.org')).toBe(true)
  // One leaf for two buyers: it is of one address alone.
  expect(isHolder(nodeSha256, ours.leaf, 'buyer3@example.org')).toBe(false)

  const refuses = (other: string, way: unknown, why: RegExp) => expect(check(other, way)).rejects.toThrow(why)
  const changed = (at: number, fields: Record<string, unknown>) =>
    path.map((node, place) => (place === at ? { ...node, ...fields } : node))
  await refuses(leafText(2, 12n), path, /the root/)
  await refuses(leafText(3, 11n), path, /the root/)
  await refuses(leafText(10, 11n), path, /no leaf 10/)
  await refuses(leafText(2, 11n, { day: '2026-11-22' }), path, /the day 2026-11-22/)
  await refuses(leafText(2, 11n, { origin: 'other.example/journal' }), path, /the origin/)
  await refuses(leafText(2, 11n, { note: 'x' }), path, /no good field note/)
  await refuses(leafText(2, 11n, { bonus: '-1' }), path, /no good field bonus/)
  await refuses(text.replace('"bonus":"0"', '"bonus": "0"'), path, /no good field/)
  await refuses(text, path.slice(1), /the depth|no leaf/)
  // Both sums are hashed: neither can be lowered, nor one on account of the other.
  await refuses(text, changed(0, { sum: '0' }), /the root/)
  await refuses(text, changed(1, { sum: '7' }), /the root/)
  await refuses(text, changed(1, { sum: '-7' }), /no number of tokens/)
  await refuses(text, changed(0, { sum: decimal(2n ** 128n, 6) }), /does not fit/)
  await refuses(text, changed(0, { sum: decimal(2n ** 128n - 1n, 6) }), /does not fit/)
  const smaller = judged(tree, { sum: '7' })
  await expect(smaller(text, path)).rejects.toThrow(/the sum 7.000046; entry 0 says 7/)
  // A log's statement about another's holdings proves nothing.
  const [origin, foreign] = ['other.example/journal', leafText(0, 11n, { origin: 'other.example/journal' })]
  const builder = new SumTreeBuilder()
  builder.append(leafNode(foreign, 11n))
  await expect(judged(builder.finish(), { origin })(foreign, [])).rejects.toThrow(/are of the log other/)
  await expect(judged(tree, { kind: 'grant.added' })(text, path)).rejects.toThrow(/the kind/)
  expect(() => packTile({ level: 0, number: 0n, nodes: [{ hash: sha256(), sum: -1n }] })).toThrow(RangeError)
  expect(() => packTile({ level: 0, number: 0n, nodes: [{ hash: sha256(), sum: 2n ** 128n }] })).toThrow(
    RangeError,
  )
})
