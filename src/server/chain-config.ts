import {
  type AddressNet,
  type CoreNetwork,
  type EvmNetwork,
  type FollowableNetwork,
  followableNetworks,
  isCore,
  isFollowable,
  type Network,
  networkFacts,
} from '../shared/networks.ts'
import { StartError } from './start-error.ts'

/** `publicOnly`: the node is named on a page and not in `NODE_HOSTS`. */
interface NodesReached {
  readonly publicOnly?: { readonly first: boolean; readonly second: boolean }
}

export interface BitcoinChainConfig extends NodesReached {
  readonly family: 'bitcoin'
  readonly network: CoreNetwork
  readonly node: { readonly kind: 'core' | 'esplora'; readonly url: string }
}

export interface EvmChainConfig extends NodesReached {
  readonly family: 'evm'
  readonly network: EvmNetwork
  readonly chainId: number
  readonly rpcUrl: string
  readonly secondRpcUrl: string | undefined
  /** Larger payments need both RPC nodes to agree. */
  readonly secondAboveUsd: string
}

export type ChainConfig = (BitcoinChainConfig | EvmChainConfig) & {
  readonly net: AddressNet
  readonly pollMs: number
  /** First block on an empty cursor; undefined: the tip. */
  readonly startHeight: number | undefined
  /** With `{tx}`; undefined: no explorer. */
  readonly explorerUrl: string | undefined
}

/** `core` and `esplora` serve the Bitcoin family. */
export const nodeKinds = ['core', 'esplora', 'evm'] as const
export type NodeKind = (typeof nodeKinds)[number]

const POLL_MS = 2_000
const SECOND_ABOVE_USD = '1000'
const ADDRESSES = ['RPC_URL', 'RPC_URL_2', 'ESPLORA_URL']
/** Apply to a chain wherever its node is configured. */
const FACTS = ['NETWORK', 'ID', 'SECOND_ABOVE_USD', 'POLL_MS', 'START_HEIGHT', 'EXPLORER_URL']

/**
 * docs/operating/chains.md. A chain with RPC_URL or ESPLORA_URL is followed; other settings also apply to a
 * node named on a page. Throws one `StartError` with all invalid settings.
 */
export function readChains(environment: Readonly<Record<string, string | undefined>>): ChainConfig[] {
  const given = chainSettings(environment)
  const wrong: string[] = []
  const chains = followableNetworks.flatMap((network) => readChain(network, given, wrong))
  const isFollowed = new Set(chains.map(({ network }) => network))
  for (const network of followableNetworks) if (!isFollowed.has(network)) checkFacts(network, given, wrong)
  const known = new Set(
    followableNetworks.flatMap((network) =>
      [...FACTS, ...(isFollowed.has(network) ? ADDRESSES : [])].map((setting) => nameOf(network, setting)),
    ),
  )
  for (const name of given.keys())
    if (!known.has(name)) wrong.push(`${name} belongs to no chain that is followed`)
  if (wrong.length > 0) throw new StartError(wrong.join('\n'))
  return chains
}

export function chainSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  return new Map(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith('CHAIN_') && value?.trim() ? [[name, value.trim()] as const] : [],
    ),
  )
}

export const testNetworksIn = (settings: ReadonlyMap<string, string>): string[] =>
  followableNetworks.flatMap((network) => {
    const net = nameOf(network, 'NETWORK')
    const id = nameOf(network, 'ID')
    const facts = networkFacts[network]
    const hasOwnId = facts.family !== 'evm' || Number(settings.get(id) ?? facts.chainId) === facts.chainId
    return [...((settings.get(net) ?? 'main') === 'main' ? [] : [net]), ...(hasOwnId ? [] : [id])]
  })

/** The first node is named on a page; other settings are from the environment. */
export function chainOfNode(
  settings: ReadonlyMap<string, string>,
  network: Network,
  { kind, url }: { kind: NodeKind; url: string },
): ChainConfig | undefined {
  if (!isFollowable(network)) return undefined
  const facts = [...settings].filter(([name]) => FACTS.some((setting) => name === nameOf(network, setting)))
  const address = nameOf(network, kind === 'esplora' ? 'ESPLORA_URL' : 'RPC_URL')
  return readChain(network, new Map([...facts, [address, url]]), [])[0]
}

/** For a chain without a node in the environment. */
function checkFacts(network: FollowableNetwork, given: ReadonlyMap<string, string>, wrong: string[]): void {
  const facts = [...given].filter(([name]) => FACTS.some((setting) => name === nameOf(network, setting)))
  readChain(network, new Map([...facts, [nameOf(network, 'RPC_URL'), 'https://node.invalid']]), wrong)
}

const nameOf = (network: FollowableNetwork, setting: string) => `CHAIN_${network.toUpperCase()}_${setting}`

function readChain(
  network: FollowableNetwork,
  given: ReadonlyMap<string, string>,
  wrong: string[],
): ChainConfig[] {
  const get = (setting: string) => given.get(nameOf(network, setting))
  const rpcUrl = get('RPC_URL')
  const esploraUrl = get('ESPLORA_URL')
  if (rpcUrl === undefined && esploraUrl === undefined) return []
  const isEvm = !isCore(network)
  const say = (setting: string, must: string) => wrong.push(`${nameOf(network, setting)} ${must}`)

  for (const setting of ['RPC_URL', 'RPC_URL_2', 'ESPLORA_URL']) {
    const url = get(setting)
    if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
      say(setting, 'must be an http or https URL')
  }
  if (isEvm && esploraUrl !== undefined) say('ESPLORA_URL', 'is for the Bitcoin family')
  if (isEvm && rpcUrl === undefined) say('RPC_URL', 'is needed')
  if (!isEvm && rpcUrl !== undefined && esploraUrl !== undefined)
    say('ESPLORA_URL', 'and RPC_URL exclude each other')
  if (!isEvm && get('RPC_URL_2') !== undefined) say('RPC_URL_2', 'is for EVM chains')

  const net = get('NETWORK') ?? 'main'
  if (net !== 'main' && net !== 'test' && net !== 'regtest') say('NETWORK', 'must be main, test or regtest')
  const whole = (setting: string, min: number, max: number) => {
    const text = get(setting)
    if (text === undefined) return undefined
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) say(setting, `must be a whole number from ${min} to ${max}`)
    return value
  }
  const secondAboveUsd = get('SECOND_ABOVE_USD') ?? SECOND_ABOVE_USD
  if (!/^\d{1,12}$/.test(secondAboveUsd)) say('SECOND_ABOVE_USD', 'must be a whole number of dollars')
  const explorerUrl = get('EXPLORER_URL') ?? (net === 'main' ? networkFacts[network].explorer : undefined)
  if (
    explorerUrl !== undefined &&
    explorerUrl !== 'none' &&
    !(/^https?:\/\//.test(explorerUrl) && explorerUrl.includes('{tx}'))
  )
    say('EXPLORER_URL', 'must be an http or https URL with {tx}, or none')

  const common = {
    net: net as AddressNet,
    pollMs: whole('POLL_MS', 50, 600_000) ?? POLL_MS,
    startHeight: whole('START_HEIGHT', 0, 4_000_000_000),
    explorerUrl: explorerUrl === 'none' ? undefined : explorerUrl,
  }
  if (isCore(network)) {
    const node =
      rpcUrl === undefined
        ? { kind: 'esplora' as const, url: esploraUrl ?? '' }
        : { kind: 'core' as const, url: rpcUrl }
    return [{ family: 'bitcoin', network, node, ...common }]
  }
  return [
    {
      family: 'evm',
      network,
      chainId: whole('ID', 1, 4_294_967_295) ?? networkFacts[network].chainId,
      rpcUrl: rpcUrl ?? '',
      secondRpcUrl: get('RPC_URL_2'),
      secondAboveUsd,
      ...common,
    },
  ]
}
