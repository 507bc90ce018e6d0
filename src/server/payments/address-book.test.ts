import { expect, test } from 'vitest'
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
  const add = (id: string, is_native: boolean) =>
    addresses.addOurs([
      {
        id,
        address: `0x${id}`,
        address_key: `0x${id}`,
        network: 'ethereum',
        is_native,
        reserved_at: new Date(),
      },
    ])
  return { addresses, add }
}

test('balances are known up to the block to which that of every address is, whatever is added or undone [REFUND-10]', () => {
  const { addresses, add } = book()
  for (const id of ['1', '2']) add(id, true)
  add('3', false)
  addresses.noteExplained(['0x1', '0x3'], 500)
  expect(addresses.explainedTo).toBe(0)
  addresses.noteExplained(['0x2'], 400)
  expect(addresses.explainedTo).toBe(400)
  addresses.noteExplained(['0x2'], 600)
  expect(addresses.explainedTo).toBe(500)
  // A reorganisation changed the blocks after that time.
  addresses.forgetExplained(300)
  expect(addresses.explainedTo).toBe(300)
  addresses.noteExplained(['0x1', '0x2'], 700)
  expect(addresses.explainedTo).toBe(700)
  add('4', true)
  expect(addresses.explainedTo).toBe(0)
})
