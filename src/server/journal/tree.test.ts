import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CheckpointSigner, newLogKey } from './checkpoint.ts'
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

test('a checkpoint has origin, size and root in its lines, and names its key', () => {
  const signer = new CheckpointSigner('sale.example/journal', newLogKey())
  const [name, id, ...key] = signer.vkey.split('+')
  expect(name).toBe('sale.example/journal')
  expect(Buffer.from(key.join('+'), 'base64')).toHaveLength(33)
  const lines = signer.sign(3n, Buffer.alloc(32, 7)).split('\n')
  expect(lines.slice(0, 4)).toEqual(['sale.example/journal', '3', Buffer.alloc(32, 7).toString('base64'), ''])
  const [dash, signedBy, signature = ''] = lines[4]?.split(' ') ?? []
  expect([dash, signedBy]).toEqual(['—', 'sale.example/journal'])
  expect(Buffer.from(signature, 'base64').subarray(0, 4).toString('hex')).toBe(id)
  expect(lines.slice(5)).toEqual([''])
})
