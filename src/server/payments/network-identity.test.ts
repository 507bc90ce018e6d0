import { expect, test } from 'vitest'
import { addressNets, coreNetworks, networkFacts } from '../../shared/networks.ts'
import { readChains } from '../chain-config.ts'
import { isOnNetwork } from './network-identity.ts'

test('a network knows a node of its own from any other [SETTLE-26]', () => {
  const [evm] = readChains({ CHAIN_ETHEREUM_RPC_URL: 'http://x' })
  const [local] = readChains({ CHAIN_ETHEREUM_RPC_URL: 'http://x', CHAIN_ETHEREUM_ID: '31337' })
  const anvil = `31337:0x${'ab'.repeat(32)}`
  const isOn = (config: typeof evm, identity: string) => config !== undefined && isOnNetwork(config, identity)
  expect([isOn(evm, anvil), isOn(local, anvil), isOn(evm, `1:0x${'cd'.repeat(32)}`)]).toEqual([
    false,
    true,
    true,
  ])
  const all = coreNetworks.flatMap((network) =>
    addressNets.flatMap((net) => networkFacts[network].nets[net].firstBlocks),
  )
  expect(new Set(all).size).toBe(all.length)
  for (const net of addressNets) {
    const [litecoin] = readChains({
      CHAIN_LITECOIN_RPC_URL: 'http://x',
      CHAIN_LITECOIN_NETWORK: net,
    })
    expect(all.filter((hash) => isOn(litecoin, hash))).toEqual(networkFacts.litecoin.nets[net].firstBlocks)
  }
})
