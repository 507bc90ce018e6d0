import { expect, test, vi } from 'vitest'
import { AddressBook } from './address-book.ts'

const book = () => {
  const addresses = new AddressBook({
    family: 'evm',
    network: 'ethereum',
    chainId: 1,
    rpcUrl: 'http://127.0.0.1:9',
    secondRpcUrl: undefined,
    secondAboveUsd: '1000',
    net: 'main',
    pollMs: 1_000,
    startHeight: undefined,
    explorerUrl: undefined,
  })
  const add = (id: string, is_native: boolean, open_to = new Date(Date.now() + 60_000)) =>
    addresses.addOurs([
      {
        address: `0x${id}`,
        address_key: `0x${id}`,
        network: 'ethereum',
        is_native,
        open_to,
      },
    ])
  return { addresses, add }
}

test('balances are known up to the block to which that of every address is, whatever is added or undone [REFUND-10]', () => {
  const { addresses, add } = book()
  for (const id of ['1', '2']) add(id, true)
  add('3', false)
  addresses.balances.noteExplained(['0x1', '0x3'], 500)
  expect(addresses.balances.explainedTo).toBe(0)
  addresses.balances.noteExplained(['0x2'], 400)
  expect(addresses.balances.explainedTo).toBe(400)
  addresses.balances.noteExplained(['0x2'], 600)
  expect(addresses.balances.explainedTo).toBe(500)
  // A reorganisation changed the blocks after that time.
  addresses.balances.forgetExplained(300)
  expect(addresses.balances.explainedTo).toBe(300)
  addresses.balances.noteExplained(['0x1', '0x2'], 700)
  expect(addresses.balances.explainedTo).toBe(700)
  add('4', true)
  expect(addresses.balances.explainedTo).toBe(0)
})

test('open addresses are asked every 15 seconds however many old ones there are, which keep a quarter [SETTLE-2]', () => {
  vi.useFakeTimers()
  try {
    const { addresses, add } = book()
    const past = new Date(Date.now() - 30 * 24 * 3_600_000)
    for (let n = 0; n < 2_000; n += 1) add(`old${n}`, true, past)
    for (let n = 0; n < 350; n += 1) add(`open${n}`, true)
    const countOf = (kind: string, taken: string[]) => taken.filter((key) => key.includes(kind)).length
    const seen = new Map<string, number>()
    let open = 0
    for (let turn = 0; turn < 20; turn += 1) {
      const taken = addresses.balances.takeDue(400)
      open += countOf('open', taken)
      if (turn === 0) expect([countOf('open', taken), countOf('old', taken)]).toEqual([300, 100])
      for (const key of taken) seen.set(key, (seen.get(key) ?? 0) + 1)
      vi.advanceTimersByTime(3_000)
    }
    // In a minute each open one is asked four times at most; each old one once an hour at most.
    expect(open).toBe(4 * 350)
    const old = [...seen].filter(([key]) => key.includes('old'))
    expect(new Set(old.map(([, times]) => times))).toEqual(new Set([1]))
    expect(old).toHaveLength(2_000)
  } finally {
    vi.useRealTimers()
  }
})

test('an address is asked less often the longer its order is over, once an hour in the end [SETTLE-2]', () => {
  vi.useFakeTimers()
  try {
    const { addresses, add } = book()
    add('1', true, new Date())
    const asked: number[] = []
    for (let second = 0; second < 3 * 24 * 3_600; second += 15) {
      vi.advanceTimersByTime(15_000)
      if (addresses.balances.takeDue(400).length > 0) asked.push(second)
    }
    const gaps = asked.slice(1).map((second, n) => second - (asked[n] ?? 0))
    expect(gaps[0]).toBe(15)
    expect(gaps.at(-1)).toBe(3_600)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
  } finally {
    vi.useRealTimers()
  }
})
