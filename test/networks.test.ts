import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { describe, expect, test } from 'vitest'
import { networkTag, payersNetworkName } from '../src/client/ui/network-names.ts'
import { readChains } from '../src/server/chain-config.ts'
import { readAccountKey } from '../src/server/payments/account-keys.ts'
import { addressParameters } from '../src/server/payments/bitcoin/networks.ts'
import { isOnNetwork } from '../src/server/payments/network-identity.ts'
import { Refusal } from '../src/server/refusal.ts'
import { checkAddress, looksLikePrivateKey } from '../src/shared/addresses.ts'
import {
  coreNetworks,
  defaultConfirmations,
  evmNetworks,
  isFollowable,
  type Network,
  networkFacts,
  networkName,
  networkOfCode,
  networks,
  walletFamilies,
} from '../src/shared/networks.ts'
import { isDust } from '../src/shared/to-send.ts'
import { isToken, walletUri } from '../src/shared/wallet-links.ts'
import { CORE_NETWORKS } from '../verify/nodes.ts'
import { ABANDON, seedOf } from './chains/account-keys.ts'

const root = new URL('../', import.meta.url)
const base58check = createBase58check(sha256)
const bytes = Array.from({ length: 256 }, (_, byte) => byte)
const nets = ['main', 'test', 'regtest'] as const
const inHex = (list: readonly number[]) => list.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')

/** The currency codes that the program knows a network of. */
const codes =
  'BTC LTC DOGE ETH USDT USDC DAI LINK UNI SHIB PEPE BNB CAKE BUSD POL MATIC AVAX CRO TRX SOL XRP'.split(' ')

function chainOf(network: Network) {
  try {
    return readChains({ [`CHAIN_${network.toUpperCase()}_RPC_URL`]: 'http://x' })[0]
  } catch {
    return undefined
  }
}

/** The program's behaviour on a network, seen from outside. */
function seenOf(network: Network) {
  const chain = chainOf(network)
  const known = codes.filter((code) => networkOfCode(code) === network)
  const coin = known.find((code) => !isToken({ network, code })) ?? ''
  const rules = (isFollowable(network) ? defaultConfirmations(network) : []).map(
    ({ belowUsd, confirmations, finalized }) =>
      `${belowUsd ? `<${belowUsd} ` : ''}${confirmations}${finalized ? ' finalized' : ''}`,
  )
  return [
    payersNetworkName(network) ?? '',
    networkTag({ network, fullName: 'Some coin' }) ?? '',
    known.map((code) => (isToken({ network, code }) ? `${code} token` : code)).join(', '),
    walletUri({ network, code: coin, address: 'A', amount: '1.50' }) ?? '',
    ...(chain ? [chain.family, chain.explorerUrl, rules.join(', ')] : []),
  ]
}

describe('each network', () => {
  const evm = '<10000 12, 12 finalized'
  const tokens = 'USDT token, USDC token, DAI token, LINK token, UNI token, SHIB token, PEPE token'
  test.each<[Network, string]>([
    [
      'bitcoin',
      'Bitcoin | Bitcoin | BTC | bitcoin:A?amount=1.5 | bitcoin | https://mempool.space/tx/{tx} | <1000 1, <10000 2, 6',
    ],
    [
      'litecoin',
      'Litecoin | Litecoin | LTC | litecoin:A?amount=1.5 | bitcoin | https://litecoinspace.org/tx/{tx} | 6',
    ],
    [
      'dogecoin',
      'Dogecoin | Dogecoin | DOGE | dogecoin:A?amount=1.5 | bitcoin | https://dogechain.info/tx/{tx} | <1000 6, <10000 20, 60',
    ],
    [
      'ethereum',
      `Ethereum (ERC-20) | ERC-20 | ETH, ${tokens} | ethereum:A@1?value=1500000000000000000 | evm | https://etherscan.io/tx/{tx} | ${evm}`,
    ],
    [
      'bsc',
      `BNB Smart Chain (BEP-20) | BEP-20 | BNB, CAKE token, BUSD token | ethereum:A@56?value=1500000000000000000 | evm | https://bscscan.com/tx/{tx} | ${evm}`,
    ],
    [
      'polygon',
      `Polygon | Polygon | POL, MATIC | ethereum:A@137?value=1500000000000000000 | evm | https://polygonscan.com/tx/{tx} | ${evm}`,
    ],
    [
      'avalanche',
      `Avalanche C-Chain | Avalanche C-Chain | AVAX | ethereum:A@43114?value=1500000000000000000 | evm | https://snowtrace.io/tx/{tx} | ${evm}`,
    ],
    [
      'cronos',
      `Cronos | Cronos | CRO | ethereum:A@25?value=1500000000000000000 | evm | https://explorer.cronos.org/tx/{tx} | ${evm}`,
    ],
    ['tron', 'TRON (TRC-20) | TRC-20 | TRX | '],
    ['solana', 'Solana | Solana | SOL | '],
    ['ripple', 'XRP Ledger | XRP Ledger | XRP | '],
    ['other', ' |  |  | '],
  ])('%s has its names, codes, link, explorer and confirmations', (network, seen) => {
    expect(seenOf(network).join(' | ')).toBe(seen)
  })

  test('of an unknown code is none', () => {
    expect(networkOfCode('NOPE')).toBe('other')
  })
})

/** The version bytes of legacy addresses that are taken, those of the main network alone before the bar. */
function legacyOf(network: Network): string {
  const taken = (testnet: boolean) =>
    bytes.filter((byte) => {
      const address = base58check.encode(Uint8Array.of(byte, ...new Uint8Array(20).fill(7)))
      return checkAddress(network, address, { testnet }) === null
    })
  const main = taken(false)
  return `${inHex(main)} | ${inHex(taken(true).filter((byte) => !main.includes(byte)))}`
}

describe('each fork of Core', () => {
  test.each([
    ['bitcoin', '00 05 | 6f c4', 'bc 0 5 80, tb 6f c4 ef, bcrt 6f c4 ef', '0.00000546'],
    ['litecoin', '30 32 | 3a 6f c4', 'ltc 30 32 b0, tltc 6f 3a ef, rltc 6f 3a ef', '0.0000546'],
    ['dogecoin', '16 1e | 6f 71 c4', '- 1e 16 9e, - 71 c4 f1, - 6f c4 ef', '0.01'],
  ] as const)('%s has its addresses and its dust', (network, legacy, parameters, dust) => {
    expect(legacyOf(network)).toBe(legacy)
    const all = nets.map((net) => {
      const { bech32, pubKeyHash, scriptHash, wif } = addressParameters(network, net)
      return [bech32, ...[pubKeyHash, scriptHash, wif].map((byte) => byte.toString(16))].join(' ')
    })
    expect(all.join(', ')).toBe(parameters)
    const under = dust.replace(/\d$/, (digit) => `${Number(digit) - 1}9`)
    expect([isDust(network, dust), isDust(network, under)]).toEqual([false, true])
  })

  test.each([
    ['bitcoin', 'main', '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
    ['bitcoin', 'test', '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943'],
    ['bitcoin', 'test', '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043'],
    ['bitcoin', 'test', '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
    ['bitcoin', 'regtest', '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
    ['litecoin', 'main', '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
    ['litecoin', 'test', '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
    ['litecoin', 'regtest', '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
    ['dogecoin', 'main', '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691'],
    ['dogecoin', 'test', 'bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e'],
    ['dogecoin', 'regtest', '3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5'],
  ] as const)('%s, %s, is known by its first block %s', (network, net, hash) => {
    const isOn = nets.filter((one) => {
      const name = `CHAIN_${network.toUpperCase()}`
      const [chain] = readChains({ [`${name}_RPC_URL`]: 'http://x', [`${name}_NETWORK`]: one })
      return chain !== undefined && isOnNetwork(chain, hash)
    })
    expect(isOn).toEqual([net])
  })

  test.each([
    [
      0x0488b21e,
      'bitcoin main p2pkh, litecoin main p2pkh, dogecoin main p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [
      0x049d7cb2,
      'bitcoin main p2sh-p2wpkh, litecoin main p2sh-p2wpkh, dogecoin main p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [
      0x04b24746,
      'bitcoin main p2wpkh, litecoin main p2wpkh, dogecoin main p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [
      0x043587cf,
      'bitcoin test p2pkh, bitcoin regtest p2pkh, litecoin test p2pkh, litecoin regtest p2pkh, dogecoin test p2pkh, dogecoin regtest p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [
      0x044a5262,
      'bitcoin test p2sh-p2wpkh, bitcoin regtest p2sh-p2wpkh, litecoin test p2sh-p2wpkh, litecoin regtest p2sh-p2wpkh, dogecoin test p2pkh, dogecoin regtest p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [
      0x045f1cf6,
      'bitcoin test p2wpkh, bitcoin regtest p2wpkh, litecoin test p2wpkh, litecoin regtest p2wpkh, dogecoin test p2pkh, dogecoin regtest p2pkh, evm main evm, evm test evm, evm regtest evm',
    ],
    [0x019da462, 'litecoin main p2pkh'],
    [0x01b26ef6, 'litecoin main p2sh-p2wpkh'],
    [0x0436f6e1, 'litecoin test p2pkh, litecoin regtest p2pkh'],
    [0x02facafd, 'dogecoin main p2pkh'],
    [0x0432a9a8, 'dogecoin test p2pkh, dogecoin regtest p2pkh'],
  ])('an account key of version %i is one of its networks', (version, takenBy) => {
    const key = HDKey.fromMasterSeed(seedOf(ABANDON), { private: 0, public: version })
    const text = key.derive("m/44'/0'/0'").publicExtendedKey
    const taken = walletFamilies.flatMap((family) =>
      nets.flatMap((net) => {
        try {
          return [`${family} ${net} ${readAccountKey(text, { family, net }).script}`]
        } catch (error) {
          if (error instanceof Refusal) return []
          throw error
        }
      }),
    )
    const pinned = taken.filter((one) => /^(?:bitcoin|litecoin|dogecoin|evm) /.test(one))
    expect(pinned.join(', ')).toBe(takenBy)
  })

  test('has private keys that no form takes, with a typo either', () => {
    const keys = (byte: number) =>
      [33, 34].map((length) => base58check.encode(Uint8Array.of(byte, ...new Uint8Array(length - 1).fill(7))))
    const wifs = [0x80, 0x9e, 0xb0, 0xef, 0xf1]
    const taken = bytes.filter((byte) => keys(byte).every((key) => looksLikePrivateKey(key) === 'wif'))
    expect(taken).toEqual(expect.arrayContaining(wifs))
    expect(taken).not.toContain(0x50)
    const withTypo = (key: string) => `${key.slice(0, -1)}${key.endsWith('1') ? '2' : '1'}`
    for (const byte of wifs)
      expect(keys(byte).map((key) => looksLikePrivateKey(withTypo(key)))).toEqual(['wif', 'wif'])
    const firsts = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
    const begins = (length: number) =>
      firsts.filter((first) => looksLikePrivateKey(first + '7'.repeat(length - 1)) === 'wif')
    expect(begins(51)).toEqual(expect.arrayContaining([...'569']))
    expect(begins(52)).toEqual(expect.arrayContaining([...'KLQTc']))
    expect([...begins(51), ...begins(52)]).not.toContain('1')
  })

  test('has extended private keys that no form takes', () => {
    const prefixes = 'xprv yprv zprv tprv uprv vprv Yprv Zprv Uprv Vprv Ltpv Mtpv ttpv dgpv'.split(' ')
    const taken = [...prefixes, 'xpub', 'Ltub', 'dgub', 'abcd'].filter(
      (prefix) => looksLikePrivateKey(prefix + '7'.repeat(107)) !== 'extended_key',
    )
    expect(taken).toEqual(['xpub', 'Ltub', 'dgub', 'abcd'])
  })
})

describe('what names networks beside their rows', () => {
  const chains = readFileSync(new URL('docs/operating/chains.md', root), 'utf8')
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

  test('operators read which networks can be followed', () => {
    expect(chains).toContain(`| Bitcoin | ${listed(coreNetworks)} |`)
    expect(chains).toContain(`| EVM | ${listed(evmNetworks)} |`)
  })

  test.each(coreNetworks)('operators read how many confirmations %s waits for', (network) => {
    const rules = defaultConfirmations(network).map(({ belowUsd, confirmations }, index) => {
      if (belowUsd) return `${confirmations} below $${Number(belowUsd).toLocaleString('en')}`
      return index > 0 ? `else ${confirmations}` : String(confirmations)
    })
    expect(chains).toContain(`| ${networkName(network)} | ${rules.join(', ')} |`)
  })

  test('the verifier knows the forks of Core by itself', () => {
    expect([...CORE_NETWORKS]).toEqual(coreNetworks)
  })
})

describe('a row alone', () => {
  test('has a name that an environment variable can have, and codes of its own', () => {
    expect(networks.filter((network) => !/^[a-z0-9]+$/.test(network))).toEqual([])
    const all = networks.flatMap((network) => [
      ...networkFacts[network].coins,
      ...(networkFacts[network].tokens ?? []),
    ])
    expect(new Set(all).size).toBe(all.length)
  })

  test('is all that a network of a known family needs', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('test/support/two-more-networks.ts', root)),
    ])
    expect(JSON.parse(stdout)).toEqual({
      lists: ['foocoin', 'barchain', 'foocoin', 'foocoin, barchain'],
      codes: ['foocoin', 'barchain'],
      names: ['Foocoin', 'Bar Chain (BAR-20)', 'Foocoin'],
      own: [null, null, null],
      foreign: ['wrong_network', 'wrong_network'],
      testAddress: 'test_network',
      privateKeys: ['wif', 'wif', 'extended_key'],
      account: 'p2wpkh foo1q',
      links: ['foo:A?amount=1.5', 'ethereum:A@777?value=1500000000000000000'],
      environment: ['bitcoin foocoin main', 'evm barchain 777'],
      wrong: 'CHAIN_FOOCOIN_RPC_URL_2 is for EVM chains',
      explorer: `https://foo.example.org/${'ab'.repeat(32)}`,
      isOnNetwork: [true, false],
      confirmations: ['3', '12, 12 finalized'],
      dust: [true, false],
      inputs: [true, true, true, true],
      keys: ['0xAB', '0xab'],
    })
  })
})
