import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 as nodeSha256 } from '../../../verify/node-hash.ts'
import { cosignersOf, parseWitnessKey } from '../../../verify/notes.ts'
import * as stranger from '../../../verify/tree.ts'
import {
  type NoteKey,
  NoteSigner,
  newNoteKey,
  parseNoteKey,
  splitNote,
  verifiedLines,
} from '../signed-note.ts'
import { consistencyProof, inclusionProof, isConsistent, type ReadTiles } from './proofs.ts'
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
      const index = a.size - 1
      const path = await inclusionProof(BigInt(index), newer.size, read)
      const leads = stranger.rootFromInclusion(hash, { index, size: b.size }, leaf(index), path)
      expect(leads && newer.root.equals(leads)).toBe(true)
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

test('who has signed a checkpoint several times is one witness, here and for a stranger', async () => {
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
