import { expect, test } from 'vitest'
import { nowhere } from '../../../test/chains/paper-chain.ts'
import { ChainFollower } from './chain-follower.ts'
import { type Block, type ChainSource, nothingWatched, type Transfer } from './chain-source.ts'

const transfer = (transactionId: string): Transfer => ({
  transactionId,
  outputKey: '0',
  addressKey: 'somewhere',
  asset: 'native',
  amount: '1',
  failed: false,
  inputs: [],
  script: null,
  sender: null,
})

/** A node with a chain of 1,010 blocks, each of `transfers`; `fork` names the blocks from there on. */
function busySource(transfers: number, fork: { from: number; name: string }): ChainSource {
  const hashOf = (height: number) => `${height < fork.from ? 'block' : fork.name} ${height}`
  const block = (height: number): Block => ({
    height,
    hash: hashOf(height),
    parent: hashOf(height - 1),
    minedAt: new Date(),
    transfers: Array.from({ length: transfers }, (_, nth) => transfer(`${height} ${nth}`)),
    spends: [],
  })
  return {
    family: 'bitcoin',
    finalDepth: 100,
    windowDepth: 100,
    batchBlocks: 50,
    rereadDepths: [],
    identity: async () => 'first',
    tipHeight: async () => 1_010,
    hashAt: async (height) => hashOf(height),
    blocks: async (from, to) => Array.from({ length: to - from + 1 }, (_, nth) => block(from + nth)),
    mempool: async () => ({ kind: 'mempool', transfers: [], spends: [], present: null, gone: [] }),
    finalizedHeight: async () => null,
  }
}

const heightsOf = (events: readonly { kind: string; height?: number }[]) =>
  events.flatMap(({ kind, height }) => (kind === 'block' ? [height] : []))

test('a reading of busy blocks ends once it holds 500 transfers, and the next one goes on behind it', async () => {
  const source = busySource(300, { from: 2_000, name: 'none' })
  const follower = new ChainFollower({ config: nowhere, source })
  const from = { cursor: { height: 1_000, hash: 'block 1000' }, takesNewChain: false }
  const reading = await follower.read(from, 1_010, nothingWatched)
  expect(heightsOf(reading.events)).toEqual([1_001, 1_002])
  // What waits in the mempool, or is final, is asked once the tip is read.
  expect(reading.events.filter(({ kind }) => kind !== 'block')).toEqual([])
  expect(reading).toMatchObject({ last: { height: 1_002, hash: 'block 1002' }, isBehind: true })
  follower.keep(reading)
  const next = await follower.read({ ...from, cursor: reading.last }, 1_010, nothingWatched)
  expect(heightsOf(next.events)).toEqual([1_003, 1_004])

  const quiet = new ChainFollower({ config: nowhere, source: busySource(10, { from: 2_000, name: 'none' }) })
  const whole = await quiet.read(from, 1_010, nothingWatched)
  expect(whole).toMatchObject({ last: { height: 1_010 }, isBehind: false })
})

test('a reorg and the blocks that took its place are one reading, however busy they are', async () => {
  const source = busySource(300, { from: 1_002, name: 'other' })
  const follower = new ChainFollower({ config: nowhere, source })
  follower.begin(new Map([1_000, 1_001, 1_002, 1_003].map((height) => [height, `block ${height}`] as const)))
  const from = { cursor: { height: 1_003, hash: 'block 1003' }, takesNewChain: false }
  const { events, last } = await follower.read(from, 1_010, nothingWatched)
  expect(events[0]).toEqual({ kind: 'reorg', height: 1_001 })
  expect(heightsOf(events)).toHaveLength(9)
  expect(last.height).toBe(1_010)
})

test('a block of a shorter chain is read again, though the one that it replaced was final when it was read [SETTLE-20]', async () => {
  let tip = 1_300
  const fork = { from: 2_000, name: 'other' }
  const source = { ...busySource(0, fork), windowDepth: 200, batchBlocks: 300, rereadDepths: [3] }
  const follower = new ChainFollower({ config: nowhere, source })
  const pass = async (cursor: { height: number; hash: string }) => {
    const reading = await follower.read({ cursor, takesNewChain: true }, tip, nothingWatched)
    follower.keep(reading)
    return reading
  }
  const { last } = await pass({ height: 1_000, hash: 'block 1000' })
  tip = 1_160
  fork.from = 1_151
  const shorter = await pass(last)
  expect(shorter.events[0]).toEqual({ kind: 'reorg', height: 1_150 })
  tip = 1_163
  const { events } = await pass(shorter.last)
  expect(events.flatMap((event) => (event.kind === 'again' ? [event.height] : []))).toEqual([
    1_158, 1_159, 1_160,
  ])
})
