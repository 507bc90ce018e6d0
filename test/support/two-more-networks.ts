import { registerHooks } from 'node:module'

// Adds two rows to src/shared/networks.ts while it is loaded: the program meets unknown networks.

const rows = `
  foocoin: {
    family: 'bitcoin',
    name: 'Foocoin',
    coins: ['FOO'],
    scheme: 'foo',
    explorer: 'https://foo.example.org/{tx}',
    confirmations: [rule(null, 3)],
    dust: '0.001',
    nets: {
      main: { segwit: 'foo', pubKeyHash: 0x24, scriptHash: 0x25, wif: 0xa4, firstBlocks: ['f0'] },
      test: { segwit: 'tfoo', pubKeyHash: 0x26, scriptHash: 0x27, wif: 0xa5, firstBlocks: ['f1'] },
      regtest: { segwit: 'rfoo', pubKeyHash: 0x26, scriptHash: 0x27, wif: 0xa5, firstBlocks: ['f2'] },
    },
    accountKeys: [{ version: 0x03facafd, nets: ['main'], script: 'p2wpkh' }],
    privateKeys: ['fopv'],
  },
  barchain: {
    family: 'evm',
    name: 'Bar Chain',
    standard: 'BAR-20',
    coins: ['BAR'],
    chainId: 777,
    explorer: 'https://bar.example.org/{tx}',
  },
`
const end = '} as const satisfies Readonly<Record<string, NetworkFacts>>'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/src/shared/networks.ts')) return loaded
    const text = String(loaded.source)
    if (!text.includes(end)) throw new Error('the table of networks ends in another way')
    return { ...loaded, source: text.replace(end, rows + end) }
  },
})

const { sha256 } = await import('@noble/hashes/sha2.js')
const { createBase58check } = await import('@scure/base')
const { HDKey } = await import('@scure/bip32')
const { payersNetworkName } = await import('../../src/client/ui/network-names.ts')
const { readChains } = await import('../../src/server/chain-config.ts')
const { addressAt, readAccountKey } = await import('../../src/server/payments/account-keys.ts')
const { ChainAccess } = await import('../../src/server/payments/chain-access.ts')
const { isOnNetwork } = await import('../../src/server/payments/network-identity.ts')
const { addressKeyOf, checkAddress, looksLikePrivateKey } = await import('../../src/shared/addresses.ts')
const { operatorNodeSchemas } = await import('../../src/shared/api/chain-nodes-schemas.ts')
const { currencyInput } = await import('../../src/shared/api/currencies-inputs.ts')
const { operatorPaymentSchemas } = await import('../../src/shared/api/payments-schemas.ts')
const networks = await import('../../src/shared/networks.ts')
const { isDust } = await import('../../src/shared/to-send.ts')
const { walletUri } = await import('../../src/shared/wallet-links.ts')
const { ABANDON, seedOf } = await import('../chains/account-keys.ts')

const foo = 'foocoin' as import('../../src/shared/networks.ts').CoreNetwork
const bar = 'barchain' as import('../../src/shared/networks.ts').EvmNetwork
const base58check = createBase58check(sha256)
const filled = (length: number, ...first: number[]) =>
  base58check.encode(Uint8Array.from({ length }, (_, index) => first[index] ?? 7))

const master = HDKey.fromMasterSeed(seedOf(ABANDON), { private: 0, public: 0x03facafd })
const account = readAccountKey(master.derive("m/84'/0'/0'").publicExtendedKey, { family: foo, net: 'main' })
const address = addressAt(account, 0)
const legacy = filled(21, 0x24)
const evm = `0x${'ab'.repeat(20)}`

const chains = readChains({ CHAIN_FOOCOIN_RPC_URL: 'http://x', CHAIN_BARCHAIN_RPC_URL: 'http://y' })
const [fooChain] = chains
function wrongOf(environment: Record<string, string>): string {
  try {
    readChains(environment)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const currency = (network: string, given: string) =>
  currencyInput.safeParse({ code: 'NEW', fullName: 'New', rate: '1', address: given, network }).success

process.stdout.write(
  JSON.stringify({
    lists: [
      networks.coreNetworks.at(-1),
      networks.evmNetworks.at(-1),
      networks.walletFamilies.at(-2),
      networks.followableNetworks.slice(-2).join(', '),
    ],
    codes: ['FOO', 'BAR'].map(networks.networkOfCode),
    names: [payersNetworkName(foo), payersNetworkName(bar), networks.familyName(foo)],
    own: [checkAddress(foo, address), checkAddress(foo, legacy), checkAddress(bar, evm)],
    foreign: [checkAddress('bitcoin', address), checkAddress('litecoin', legacy)],
    testAddress: checkAddress(foo, filled(21, 0x26)),
    privateKeys: [filled(33, 0xa4), `${filled(34, 0xa4).slice(0, -1)}9`, `fopv${'7'.repeat(100)}`].map(
      looksLikePrivateKey,
    ),
    account: `${account.script} ${address.slice(0, 5)}`,
    links: [
      walletUri({ network: foo, code: 'FOO', address: 'A', amount: '1.50' }),
      walletUri({ network: bar, code: 'BAR', address: 'A', amount: '1.50' }),
    ],
    environment: chains.map((chain) =>
      [chain.family, chain.network, chain.family === 'evm' ? chain.chainId : chain.net].join(' '),
    ),
    wrong: wrongOf({ CHAIN_FOOCOIN_RPC_URL: 'http://x', CHAIN_FOOCOIN_RPC_URL_2: 'http://y' }),
    explorer: new ChainAccess(chains).explorerUrl(foo, 'ab'.repeat(32)),
    isOnNetwork: ['f0', 'f1'].map((hash) => fooChain && isOnNetwork(fooChain, hash)),
    confirmations: ([foo, bar] as const).map((network) =>
      networks
        .defaultConfirmations(network)
        .map(({ confirmations, finalized }) => `${confirmations}${finalized ? ' finalized' : ''}`)
        .join(', '),
    ),
    dust: ['0.0009', '0.001'].map((amount) => isDust(foo, amount)),
    inputs: [
      currency(foo, address),
      currency(bar, evm),
      operatorNodeSchemas.setNode.params.safeParse({ network: foo, place: '1' }).success,
      operatorPaymentSchemas.addWallet.body.safeParse({ family: foo, accountKey: 'x', name: 'Foo' }).success,
    ],
    keys: [addressKeyOf(foo, '0xAB'), addressKeyOf(bar, '0xAB')],
  }),
)
