import { describe, expect, test } from 'vitest'
import { defaultConfirmations, followableNetworks } from '../shared/networks.ts'
import { chainOfNode, chainSettings, readChains } from './chain-config.ts'

describe('chains of the environment', () => {
  test('are none where none is named', () => {
    expect(readChains({ PORT: '3000', CHAIN_BITCOIN_RPC_URL: ' ' })).toEqual([])
  })

  test('take their defaults', () => {
    expect(
      readChains({
        CHAIN_BITCOIN_RPC_URL: 'http://user:pass@127.0.0.1:8332',
        CHAIN_POLYGON_RPC_URL: 'https://rpc.example.org/key',
      }),
    ).toMatchObject([
      {
        network: 'bitcoin',
        net: 'main',
        pollMs: 2000,
        node: { kind: 'core' },
        explorerUrl: 'https://mempool.space/tx/{tx}',
      },
      { network: 'polygon', family: 'evm', chainId: 137, secondAboveUsd: '1000', secondRpcUrl: undefined },
    ])
    expect(
      readChains({
        CHAIN_LITECOIN_ESPLORA_URL: 'https://esplora.example.org/api',
        CHAIN_LITECOIN_NETWORK: 'test',
      }),
    ).toMatchObject([{ network: 'litecoin', net: 'test', node: { kind: 'esplora' }, explorerUrl: undefined }])
  })

  test.each([
    [{ CHAIN_BITCOIN_RPC_URL: 'ftp://x' }, 'CHAIN_BITCOIN_RPC_URL must be an http or https URL'],
    [{ CHAIN_BITCOIN_RPC_URL: 'http://x', CHAIN_BITCOIN_ESPLORA_URL: 'http://y' }, 'exclude each other'],
    [{ CHAIN_ETHEREUM_ESPLORA_URL: 'http://y' }, 'is for the Bitcoin family'],
    [{ CHAIN_LITECOIN_RPC_URL: 'http://x', CHAIN_LITECOIN_RPC_URL_2: 'http://y' }, 'is for EVM chains'],
    [
      { CHAIN_BITCOIN_RPC_URL: 'http://x', CHAIN_BITCOIN_NETWORK: 'mainnet' },
      'must be main, test or regtest',
    ],
    [{ CHAIN_BITCOIN_RPC_URL: 'http://x', CHAIN_BITCOIN_POLL_MS: '1' }, 'must be a whole number from 50'],
    [{ CHAIN_BITCOIN_RPC_URL: 'http://x', CHAIN_BITCOIN_EXPLORER_URL: 'https://x/tx' }, 'with {tx}'],
    [{ CHAIN_BITCON_RPC_URL: 'http://x' }, 'CHAIN_BITCON_RPC_URL belongs to no chain'],
    [{ CHAIN_BITCOIN_NETWORK: 'mainnet' }, 'must be main, test or regtest'],
    [
      { CHAIN_ETHEREUM_RPC_URL_2: 'http://x' },
      'CHAIN_ETHEREUM_RPC_URL_2 belongs to no chain that is followed',
    ],
  ])('refuse %o', (environment, sentence) => {
    expect(() => readChains(environment as Record<string, string>)).toThrow(sentence)
  })

  test('keep what is said of a chain for a node that a page names', () => {
    const said = { CHAIN_ETHEREUM_ID: '11155111', CHAIN_ETHEREUM_POLL_MS: '500' }
    expect(readChains(said)).toEqual([])
    expect(
      chainOfNode(chainSettings(said), 'ethereum', { kind: 'evm', url: 'https://rpc.example.org' }),
    ).toMatchObject({ chainId: 11_155_111, pollMs: 500, rpcUrl: 'https://rpc.example.org' })
  })

  test('never wait for no confirmation at all [SETTLE-4]', () => {
    for (const network of followableNetworks) {
      const rules = defaultConfirmations(network)
      expect(rules.at(-1)?.belowUsd).toBeNull()
      expect(rules.every((rule) => rule.confirmations >= 1)).toBe(true)
    }
  })
})
