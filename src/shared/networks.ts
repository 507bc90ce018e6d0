export const addressNets = ['main', 'test', 'regtest'] as const
export type AddressNet = (typeof addressNets)[number]

/** The first rule whose `belowUsd` exceeds the order's dollars applies. */
export interface ConfirmationRule {
  readonly belowUsd: string | null
  readonly confirmations: number
  /** Also waits for the finalized block. */
  readonly finalized: boolean
}

interface CommonFacts {
  /** The name is equal in every language. */
  readonly name: string
  /** The standard in the names of wallets and exchanges. */
  readonly standard?: string
  readonly coins: readonly string[]
  /** Tokens that use this network by default. */
  readonly tokens?: readonly string[]
}

/** A fork of Bitcoin Core. */
export interface CoreFacts extends CommonFacts {
  readonly family: 'bitcoin'
  /** The scheme of BIP 21 links. */
  readonly scheme: string
  /** The main network's page of a transaction `{tx}`. */
  readonly explorer: string
  readonly confirmations: readonly ConfirmationRule[]
  /** The limit, in coins, of an output to a public key hash at this Core's dust fee. */
  readonly dust: string
  readonly nets: Readonly<Record<AddressNet, CoreNet>>
  /** Account keys besides SLIP-132. */
  readonly accountKeys?: readonly AccountKeyVersion[]
  /** Prefixes of extended private keys. */
  readonly privateKeys?: readonly string[]
}

/** From the Core's chainparams.cpp. */
interface CoreNet {
  /** The prefix of segwit addresses. Left out: no segwit. */
  readonly segwit?: string
  readonly pubKeyHash: number
  readonly scriptHash: number
  /** An older version byte that is still accepted. */
  readonly oldScriptHash?: number
  /** The version byte of private keys (WIF). */
  readonly wif: number
  /** Genesis hashes of networks with these addresses. */
  readonly firstBlocks: readonly string[]
}

export interface AccountKeyVersion {
  readonly version: number
  readonly nets: readonly AddressNet[]
  readonly script: Exclude<WalletScript, 'evm'>
}

/** All EVM chains use EIP-681 links and EIP-55 addresses. */
export interface EvmFacts extends CommonFacts {
  readonly family: 'evm'
  /** The main network's EIP-155 id. */
  readonly chainId: number
  /** The main network's page of a transaction `{tx}`. */
  readonly explorer: string
}

/** Operators check the payments of these networks. */
export interface ManualFacts extends CommonFacts {
  readonly family: 'tron' | 'solana' | 'ripple'
}

/** The name is the text `network.other`. */
interface OtherFacts extends Omit<CommonFacts, 'name'> {
  readonly family: 'other'
  readonly name?: never
}

type NetworkFacts = CoreFacts | EvmFacts | ManualFacts | OtherFacts
export type NetworkFamily = NetworkFacts['family']

const rule = (belowUsd: string | null, confirmations: number, finalized = false): ConfirmationRule => ({
  belowUsd,
  confirmations,
  finalized,
})

/** Networks by their names in the API, the database and `CHAIN_<NAME>_…` (CONTRIBUTING.md, “Add a chain”). */
const rows = {
  bitcoin: {
    family: 'bitcoin',
    name: 'Bitcoin',
    coins: ['BTC'],
    scheme: 'bitcoin',
    explorer: 'https://mempool.space/tx/{tx}',
    confirmations: [rule('1000', 1), rule('10000', 2), rule(null, 6)],
    dust: '0.00000546',
    nets: {
      main: {
        segwit: 'bc',
        pubKeyHash: 0x00,
        scriptHash: 0x05,
        wif: 0x80,
        firstBlocks: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
      },
      // testnet3, testnet4 and signet.
      test: {
        segwit: 'tb',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        wif: 0xef,
        firstBlocks: [
          '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
          '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
          '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
        ],
      },
      regtest: {
        segwit: 'bcrt',
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        wif: 0xef,
        firstBlocks: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
      },
    },
  },
  litecoin: {
    family: 'bitcoin',
    name: 'Litecoin',
    coins: ['LTC'],
    scheme: 'litecoin',
    explorer: 'https://litecoinspace.org/tx/{tx}',
    confirmations: [rule(null, 6)],
    dust: '0.0000546',
    nets: {
      // Rejects older `3…` addresses, which look like Bitcoin's.
      main: {
        segwit: 'ltc',
        pubKeyHash: 0x30,
        scriptHash: 0x32,
        wif: 0xb0,
        firstBlocks: ['12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
      },
      test: {
        segwit: 'tltc',
        pubKeyHash: 0x6f,
        scriptHash: 0x3a,
        oldScriptHash: 0xc4,
        wif: 0xef,
        firstBlocks: ['4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
      },
      regtest: {
        segwit: 'rltc',
        pubKeyHash: 0x6f,
        scriptHash: 0x3a,
        wif: 0xef,
        firstBlocks: ['530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
      },
    },
    accountKeys: [
      { version: 0x019da462, nets: ['main'], script: 'p2pkh' },
      { version: 0x01b26ef6, nets: ['main'], script: 'p2sh-p2wpkh' },
      { version: 0x0436f6e1, nets: ['test', 'regtest'], script: 'p2pkh' },
    ],
    privateKeys: ['Ltpv', 'Mtpv', 'ttpv'],
  },
  dogecoin: {
    family: 'bitcoin',
    name: 'Dogecoin',
    coins: ['DOGE'],
    scheme: 'dogecoin',
    explorer: 'https://dogechain.info/tx/{tx}',
    confirmations: [rule('1000', 6), rule('10000', 20), rule(null, 60)],
    dust: '0.01',
    nets: {
      main: {
        pubKeyHash: 0x1e,
        scriptHash: 0x16,
        wif: 0x9e,
        firstBlocks: ['1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691'],
      },
      test: {
        pubKeyHash: 0x71,
        scriptHash: 0xc4,
        wif: 0xf1,
        firstBlocks: ['bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e'],
      },
      regtest: {
        pubKeyHash: 0x6f,
        scriptHash: 0xc4,
        wif: 0xef,
        firstBlocks: ['3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5'],
      },
    },
    accountKeys: [
      { version: 0x02facafd, nets: ['main'], script: 'p2pkh' },
      { version: 0x0432a9a8, nets: ['test', 'regtest'], script: 'p2pkh' },
    ],
    privateKeys: ['dgpv'],
  },
  ethereum: {
    family: 'evm',
    name: 'Ethereum',
    standard: 'ERC-20',
    coins: ['ETH'],
    tokens: ['USDT', 'USDC', 'DAI', 'LINK', 'UNI', 'SHIB', 'PEPE'],
    chainId: 1,
    explorer: 'https://etherscan.io/tx/{tx}',
  },
  bsc: {
    family: 'evm',
    name: 'BNB Smart Chain',
    standard: 'BEP-20',
    coins: ['BNB'],
    tokens: ['CAKE', 'BUSD'],
    chainId: 56,
    explorer: 'https://bscscan.com/tx/{tx}',
  },
  polygon: {
    family: 'evm',
    name: 'Polygon',
    coins: ['POL', 'MATIC'],
    chainId: 137,
    explorer: 'https://polygonscan.com/tx/{tx}',
  },
  avalanche: {
    family: 'evm',
    name: 'Avalanche C-Chain',
    coins: ['AVAX'],
    chainId: 43114,
    explorer: 'https://snowtrace.io/tx/{tx}',
  },
  cronos: {
    family: 'evm',
    name: 'Cronos',
    coins: ['CRO'],
    chainId: 25,
    explorer: 'https://explorer.cronos.org/tx/{tx}',
  },
  tron: { family: 'tron', name: 'TRON', standard: 'TRC-20', coins: ['TRX'] },
  solana: { family: 'solana', name: 'Solana', coins: ['SOL'] },
  ripple: { family: 'ripple', name: 'XRP Ledger', coins: ['XRP'] },
  other: { family: 'other', coins: [] },
} as const satisfies Readonly<Record<string, NetworkFacts>>

export type Network = keyof typeof rows
type OfFamily<Family> = {
  [N in Network]: (typeof rows)[N]['family'] extends Family ? N : never
}[Network]
export type CoreNetwork = OfFamily<'bitcoin'>
export type EvmNetwork = OfFamily<'evm'>
/** Networks whose payments the program can watch. */
export type FollowableNetwork = CoreNetwork | EvmNetwork

export const networkFacts: Readonly<
  Record<CoreNetwork, CoreFacts> &
    Record<EvmNetwork, EvmFacts> &
    Record<Exclude<Network, FollowableNetwork>, ManualFacts | OtherFacts>
> = rows

/** Decimals of native coins; a token's contract states its own. */
const decimals: Readonly<Record<NetworkFamily, number | undefined>> = {
  bitcoin: 8,
  evm: 18,
  tron: 6,
  solana: 9,
  ripple: 6,
  other: undefined,
}

const evmConfirmations: readonly ConfirmationRule[] = [rule('10000', 12), rule(null, 12, true)]

export const networks = Object.keys(rows) as [Network, ...Network[]]
const namesOf = (family: NetworkFamily): readonly Network[] =>
  networks.filter((network) => networkFacts[network].family === family)

export const coreNetworks = namesOf('bitcoin') as readonly CoreNetwork[]
export const evmNetworks = namesOf('evm')
export const chainFamilies = ['bitcoin', 'evm'] as const
export type ChainFamily = (typeof chainFamilies)[number]

export const followableNetworks = networks.filter(isFollowable)

export function isFollowable(network: Network): network is FollowableNetwork {
  return chainFamilies.some((family) => family === networkFacts[network].family)
}

export const isCore = (network: Network): network is CoreNetwork =>
  coreNetworks.some((one) => one === network)
export const isEvm = (network: Network): network is EvmNetwork => evmNetworks.includes(network)

/** A family is one fork of Core, or all EVM chains. */
export const walletFamilies = [...coreNetworks, 'evm'] as readonly WalletFamily[]
export type WalletFamily = CoreNetwork | 'evm'

/** Null if there is none. */
export function walletFamilyOf(network: Network): WalletFamily | null {
  if (evmNetworks.includes(network)) return 'evm'
  return isCore(network) ? network : null
}

export const familyName = (family: WalletFamily): string =>
  family === 'evm' ? 'EVM' : networkFacts[family].name

export const networkName = (network: string): string =>
  (Object.hasOwn(networkFacts, network) && networkFacts[network as Network].name) || network

export const nativeDecimals = (network: Network): number | undefined => decimals[networkFacts[network].family]

export const walletScripts = ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'evm'] as const
export type WalletScript = (typeof walletScripts)[number]

export function walletScriptsOf(family: WalletFamily): readonly WalletScript[] {
  if (family === 'evm') return ['evm']
  return hasSegwit(family) ? ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] : ['p2pkh']
}

export const hasSegwit = (network: Network): boolean =>
  isCore(network) && networkFacts[network].nets.main.segwit !== undefined

/** Confirmations by an order's dollars. Never 0. */
export function defaultConfirmations(network: FollowableNetwork): readonly ConfirmationRule[] {
  const facts = networkFacts[network]
  return facts.family === 'bitcoin' ? facts.confirmations : evmConfirmations
}

/** The default network of a known code. */
export function networkOfCode(code: string): Network {
  const known = networks.find((network) => {
    const { coins, tokens } = networkFacts[network]
    return coins.includes(code) || tokens?.includes(code)
  })
  return known ?? 'other'
}
