import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64FromBytes, bytesFromBase64 } from './bytes.ts'
import { sha256 } from './node-hash.ts'
import { openCheckpoint, openNote, parseVerifierKey } from './notes.ts'
import {
  consistencyProof,
  inclusionProof,
  LogWriter,
  leafHash,
  makeKey,
  treeHash,
} from './testing/log-writer.ts'
import { entriesOf, pathOf, rangeHash, tileAt, upperTilesOf } from './tiles.ts'
import { consistencyRangesOf, GrowingTree, isConsistent, rootFromInclusion, TreeHash } from './tree.ts'

const hash = new TreeHash(sha256)
const LEAVES_MAX = 800
const leaves = Array.from({ length: LEAVES_MAX }, (_, index) => leafHash(Buffer.from(`entry ${index}`)))
const sizes = fc.integer({ min: 1, max: LEAVES_MAX })
/** Two sizes, the first not the larger. */
const pairs = fc.tuple(sizes, sizes).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

function treeOf(size: number): GrowingTree {
  const tree = new GrowingTree(hash)
  for (const leaf of leaves.slice(0, size)) tree.append(leaf)
  return tree
}

/** The same bytes with one bit turned. */
function damaged(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const place = at % copy.length
  copy[place] = (copy[place] as number) ^ 1
  return copy
}

describe('the tree', () => {
  test('has at every size the root that RFC 6962 defines', () => {
    const tree = new GrowingTree(hash)
    expect(base64FromBytes(tree.root())).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
    for (const [index, leaf] of leaves.entries()) {
      expect(hash.ofLeaf(Buffer.from(`entry ${index}`))).toEqual(leaf)
      tree.append(leaf)
      if (index < 300 || index % 97 === 0) expect(tree.root()).toEqual(treeHash(leaves, 0, index + 1))
    }
  })

  test('hashes a leaf of any length', () => {
    for (const length of [0, 1, 1023, 1024, 65_535]) {
      const entry = Buffer.alloc(length, 7)
      expect(new TreeHash(sha256).ofLeaf(entry)).toEqual(leafHash(entry))
    }
  })

  test('keeps the hashes of the tiles above level 0', () => {
    expect(treeOf(790).levels[1]).toEqual([0, 1, 2].map((at) => treeHash(leaves, at * 256, at * 256 + 256)))
  })
})

describe('a proof', () => {
  test('of inclusion leads to the root from its own leaf and place only', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, place, at) => {
        const index = place % size
        const root = treeHash(leaves, 0, size)
        const proof = inclusionProof(leaves.slice(0, size), index)
        const leaf = leaves[index] as Buffer
        expect(rootFromInclusion(hash, { index, size }, leaf, proof)).toEqual(root)
        expect(rootFromInclusion(hash, { index, size }, damaged(leaf, at), proof)).not.toEqual(root)
        if (size > 1) {
          const other = (index + 1 + (at % (size - 1))) % size
          expect(rootFromInclusion(hash, { index: other, size }, leaf, proof)).not.toEqual(root)
        }
        expect(rootFromInclusion(hash, { index, size }, leaf, [...proof, root])).toBeUndefined()
        if (proof.length === 0) return
        expect(rootFromInclusion(hash, { index, size }, leaf, proof.slice(0, -1))).toBeUndefined()
        const wrong = proof.with(
          at % proof.length,
          Buffer.from(damaged(proof[at % proof.length] as Buffer, at)),
        )
        expect(rootFromInclusion(hash, { index, size }, leaf, wrong)).not.toEqual(root)
      }),
    )
    expect(rootFromInclusion(hash, { index: 3, size: 3 }, leaves[3] as Buffer, [])).toBeUndefined()
  })

  test('of consistency joins a tree and its beginning, and nothing else', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([old, size], at) => {
        const [older, newer] = [old, size].map((n) => ({ size: n, root: treeHash(leaves, 0, n) })) as [
          { size: number; root: Buffer },
          { size: number; root: Buffer },
        ]
        const proof = consistencyProof(leaves.slice(0, size), old)
        expect(isConsistent(hash, older, newer, proof)).toBe(true)
        expect(isConsistent(hash, { ...older, root: damaged(older.root, at) }, newer, proof)).toBe(false)
        expect(isConsistent(hash, older, { ...newer, root: damaged(newer.root, at) }, proof)).toBe(false)
        expect(isConsistent(hash, older, newer, [...proof, newer.root])).toBe(false)
        if (proof.length === 0) return
        expect(isConsistent(hash, older, newer, proof.slice(0, -1))).toBe(false)
        const wrong = proof.with(
          at % proof.length,
          Buffer.from(damaged(proof[at % proof.length] as Buffer, at)),
        )
        expect(isConsistent(hash, older, newer, wrong)).toBe(false)
      }),
    )
  })

  test('of consistency is made from the tiles of the newer tree', async () => {
    const log = new LogWriter()
    for (let index = 0; index < LEAVES_MAX; index++) log.appendBytes(Buffer.from(`entry ${index}`))
    await fc.assert(
      fc.asyncProperty(pairs, async ([old, size]) => {
        log.checkpoint(size)
        const proof = await Promise.all(
          consistencyRangesOf(old, size).map((range) =>
            rangeHash(hash, range, size, async (tile) => log.file(pathOf(tile)) as Uint8Array),
          ),
        )
        expect(proof).toEqual(consistencyProof(leaves.slice(0, size), old))
      }),
      { numRuns: 40 },
    )
  })
})

describe('tiles', () => {
  test('have the paths of the specification', () => {
    expect(pathOf({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(pathOf({ level: 'entries', index: 0, width: 1 })).toBe('tile/entries/000.p/1')
    expect(pathOf({ level: 2, index: 1_000, width: 255 })).toBe('tile/2/x001/000.p/255')
  })

  test('of a tree of 70,000 and of 256 entries are those that the specification counts', () => {
    const widths = (level: number) =>
      upperTilesOf(70_000)
        .filter((tile) => tile.level === level)
        .map(({ width }) => width)
    expect([tileAt(0, 273, 70_000).width, widths(1), widths(2), widths(3)]).toEqual([112, [256, 17], [1], []])
    expect(upperTilesOf(256)).toEqual([{ level: 1, index: 0, width: 1 }])
  })

  test('give back the entries that a bundle holds, however it is cut it is refused', () => {
    const texts = fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 255 })
    fc.assert(
      fc.property(texts, fc.nat(), (entries, at) => {
        const bundle = Buffer.concat(
          entries.flatMap((one) => [Buffer.from([one.length >> 8, one.length & 255]), one]),
        )
        const tile = { level: 'entries' as const, index: 0, width: entries.length }
        expect(entriesOf(tile, bundle).map((one) => [...one])).toEqual(entries.map((one) => [...one]))
        expect(() => entriesOf(tile, bundle.subarray(0, at % bundle.length))).toThrow(/is cut|instead of/)
      }),
    )
  })
})

describe('a signed note', () => {
  const TEXT = 'This is an example message.\n'
  const LINE =
    '\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'
  const VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
  const key = parseVerifierKey(sha256, VKEY)

  test('of the specification verifies, also among signatures by others', async () => {
    expect(await openNote(`${TEXT}\n${LINE}`, key)).toBe(TEXT)
    const other = new LogWriter('example.com/foo').note(TEXT).split('\n\n')[1]
    expect(await openNote(`${TEXT}\n${other}${LINE}`, key)).toBe(TEXT)
  })

  test.each([
    ['another text', `This is another message.\n\n${LINE}`, /signature .* is wrong/],
    ['a text with a line more', `${TEXT}more\n\n${LINE}`, /signature .* is wrong/],
    ['no signature', `${TEXT}\n`, /signature/],
    ['no empty line', TEXT + LINE, /no signatures/],
    ['a last line without its end', `${TEXT}\n${LINE.trimEnd()}`, /no signatures/],
    ['a control character', `${TEXT}\t\n\n${LINE}`, /control character/],
    ['a line that is no signature', `${TEXT}\n${LINE}by me\n`, /wrong form/],
    ['base64 with bits that nothing uses', `${TEXT}\n${LINE.replace('aQM=', 'aQN=')}`, /wrong form/],
    ['a signature by somebody else alone', new LogWriter('example.com/bar').note(TEXT), /not signed by/],
  ])('with %s does not', async (_, note, reason) => {
    await expect(openNote(note, key)).rejects.toThrow(reason)
  })

  test.each([
    VKEY.replace('530d903a', '530d903b'),
    VKEY.replace('+Aek', '+Bek'),
    VKEY.replace('foo+', 'foo +'),
    VKEY.slice(0, -1),
    '',
  ])('has no key %s', (text) => {
    expect(() => parseVerifierKey(sha256, text)).toThrow()
  })

  test.each([
    ['a size with a zero before it', '01'],
    ['a negative size', '-1'],
    ['a size that no double holds', '9007199254740993'],
    ['a root that is too short', '1', 'AAAA'],
    ['an empty extension', '1', undefined, '\n\n'],
    ['another origin than its key', '1', undefined, '\n', 'other.example/journal'],
  ])(
    'is no checkpoint with %s',
    async (_, size, root = Buffer.alloc(32).toString('base64'), end = '\n', origin = 'a/b') => {
      const log = new LogWriter('a/b')
      const note = log.note(`${origin}\n${size}\n${root}${end}`)
      await expect(openCheckpoint(note, parseVerifierKey(sha256, log.key.vkey))).rejects.toThrow()
    },
  )

  test('is a checkpoint with extensions and with whatever cosignatures', async () => {
    const log = new LogWriter('a/b', makeKey('a/b'))
    const note = log.note(`a/b\n0\n${treeHash([]).toString('base64')}\nsomething\n`)
    const cosigned = `${note}\u2014 witness.example/w ${Buffer.alloc(76, 3).toString('base64')}\n`
    const found = await openCheckpoint(cosigned, parseVerifierKey(sha256, log.key.vkey))
    expect(found).toMatchObject({ origin: 'a/b', size: 0 })
  })
})

test('base64 has one way of writing', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = base64FromBytes(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect([...(bytesFromBase64(text) ?? [])]).toEqual([...bytes])
    }),
  )
  expect(['AAA', 'AA=A', 'AB==', ' AAAA', 'AA-_'].map(bytesFromBase64)).toEqual(Array(5).fill(undefined))
})
