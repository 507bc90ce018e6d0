import { expect, test } from 'vitest'
import { findRises, type KnownOf } from './balance-rises.ts'

const HEIGHT = 50_000
const FLOODED = Array.from({ length: 300 }, (_, n) => `flooded ${n}`)

// Rules: SETTLE-2
test('many small coins of contracts cost a poll few requests and put off no other payment [SETTLE-2]', async () => {
  let requests = 0
  let calls = 0
  // A contract runs in 5 blocks; the buyer is paid once.
  const heldAt = (address: string, height: number) =>
    address === 'buyer'
      ? Number(height >= 41_000)
      : Math.min(5, Math.max(0, Math.floor((height - 10_000) / 2_000)))
  const source = {
    heldAt: async (asked: readonly { address: string; height: number }[]) => {
      requests += 1
      calls += asked.length
      return asked.map(({ address, height }) => ({ balance: String(heldAt(address, height)), sent: 0 }))
    },
  }
  const addresses = [...FLOODED, 'buyer']
  const found = new Map(addresses.map((address) => [address, [{ height: 1_000, balance: '0', sent: 0 }]]))
  const knownOf: KnownOf = async (inUse) =>
    inUse.map((addressKey) => {
      const known = found.get(addressKey) ?? []
      return { addressKey, explainedTo: known.at(-1)?.height ?? 0, isLacking: false, known }
    })
  const poll = async () => {
    requests = 0
    calls = 0
    const { rises, explained } = await findRises(source, addresses, HEIGHT, knownOf)
    for (const { addressKey, ...rise } of rises) found.get(addressKey)?.push(rise)
    expect(rises.length).toBeLessThan(100)
    expect(requests).toBeLessThan(80)
    expect(calls).toBeLessThan(2_000)
    return explained
  }

  // Every address was paid, so the buyer waits for one round of all.
  for (let polls = 0; found.get('buyer')?.length === 1; polls += 1) {
    expect(polls).toBeLessThan(6)
    await poll()
  }
  expect(found.get('buyer')?.at(-1)).toEqual({ height: 41_000, balance: '1', sent: 0 })
  expect(await poll()).toEqual(['buyer'])
  for (let polls = 0; polls < 30; polls += 1) await poll()
  expect(await poll()).toEqual(addresses)
  expect(found.get('flooded 0')?.map(({ height }) => height)).toEqual([
    1_000, 12_000, 14_000, 16_000, 18_000, 20_000,
  ])
})
