import { setTimeout as delay } from 'node:timers/promises'
import { followableNetworks, type Network } from '../../shared/networks.ts'
import { type ChainConfig, chainOfNode, type NodeKind } from '../chain-config.ts'
import { type Database, sql } from '../database/database.ts'
import { hostOf, isOutside, reasonAgainstNamed, voiceOf } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

// Rules: SETTLE-26
/** The environment's limits for nodes set on pages. */
export interface NodeRules {
  /** Chain settings without node addresses (`chainOfNode`). */
  readonly settings: ReadonlyMap<string, string>
  /** `host:port` allowed outside the public internet and without TLS. */
  readonly hosts: readonly string[]
}

export interface ChainNodesNeeds {
  readonly db: Database
  readonly secrets: Secrets
  /** From the environment; overrides pages. */
  readonly given: readonly ChainConfig[]
  readonly rules: NodeRules
  readonly log: { warn(fields: object, message: string): void }
}

interface NodeRow {
  id: string
  network: Network
  place: number
  kind: NodeKind
  url_encrypted: Buffer
}

interface NamedNode {
  readonly network: Network
  readonly place: number
  readonly kind: NodeKind
  readonly url: string
}

export const NODE_PURPOSE = 'chain-node'
const POLL_MS = 2_000
/** For a second node whose address can't be decrypted; `.invalid` never resolves. */
const UNREADABLE = 'https://second-node.invalid'

/** Followed chains: from the environment, and of nodes set on pages. */
export class ChainNodes {
  /** One array for the program's life; items are replaced when a node changes. */
  readonly configs: ChainConfig[]
  readonly #needs: ChainNodesNeeds
  readonly #listeners: (() => void)[] = []
  readonly #stopping = new AbortController()
  #polling: Promise<void> | undefined
  #reading: Promise<void> = Promise.resolve()

  constructor(needs: ChainNodesNeeds) {
    this.#needs = needs
    this.configs = [...needs.given]
  }

  /**
   * At once; every process also reads every two seconds. One reading after another, so that an older one
   * never overwrites a newer.
   */
  refresh(): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#read())
    this.#reading = reading
    return reading
  }

  start(): void {
    this.#polling ??= this.#poll()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#polling
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted)
        await this.refresh().catch((error: unknown) =>
          this.#needs.log.warn({ err: error }, 'the nodes were not read'),
        )
    }
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** True if the environment sets the node; no page can then. */
  isGiven(network: Network, place: number): boolean {
    const given = this.#given(network)
    if (place === 1) return given !== undefined
    return given?.family === 'evm' && given.secondRpcUrl !== undefined
  }

  givenNodes(network: Network): { place: number; kind: NodeKind; host: string }[] {
    const given = this.#given(network)
    if (!given) return []
    if (given.family === 'bitcoin') return [{ place: 1, kind: given.node.kind, host: hostOf(given.node.url) }]
    const urls = given.secondRpcUrl ? [given.rpcUrl, given.secondRpcUrl] : [given.rpcUrl]
    return urls.map((url, index) => ({ place: index + 1, kind: 'evm' as const, host: hostOf(url) }))
  }

  /** With only this node. */
  configOf({ network, place, kind, url }: NamedNode): ChainConfig {
    this.refuseAddress(url)
    const chain = chainOfNode(this.#needs.rules.settings, network, { kind, url })
    if (!chain) return refuse('chain_unknown')
    const known = this.#given(network)
    const facts = known && place === 2 && known.family === 'evm' && { chainId: known.chainId, net: known.net }
    return { ...chain, ...facts, publicOnly: { first: this.#isOutside(url), second: false } } as ChainConfig
  }

  /** With that place's current node alone, if any. */
  configAt(network: Network, place: number): ChainConfig | null {
    const chain = this.configs.find((config) => config.network === network)
    if (!chain || place === 1) return chain ?? null
    if (chain.family !== 'evm' || !chain.secondRpcUrl) return null
    const publicOnly = { first: chain.publicOnly?.second ?? false, second: false }
    return { ...chain, rpcUrl: chain.secondRpcUrl, secondRpcUrl: undefined, publicOnly }
  }

  /** Errors: node_address_refused, unless https on the public internet or a listed host. */
  refuseAddress(url: string): void {
    const why = reasonAgainstNamed(url, this.#needs.rules.hosts)
    if (why) refuse('node_address_refused', { why })
  }

  isTwin(host: string, url: string): boolean {
    const { hosts } = this.#needs.rules
    return host === hostOf(url) || voiceOf(`https://${host}`, hosts) === voiceOf(url, hosts)
  }

  #isOutside(url: string): boolean {
    return isOutside(url, this.#needs.rules.hosts)
  }

  #given(network: Network): ChainConfig | undefined {
    return this.#needs.given.find((chain) => chain.network === network)
  }

  async #read(): Promise<void> {
    const rows = await this.#needs.db.query<NodeRow>(
      sql`select id, network, place, kind, url_encrypted from chain_nodes order by network, place`,
    )
    const nodes = rows.flatMap((row) => this.#open(row))
    const next = followableNetworks.flatMap((network) => {
      const chain = this.#join(network, nodes)
      // An unchanged chain's watchers continue.
      const known = this.configs.find((config) => config.network === network)
      return chain ? [known && JSON.stringify(known) === JSON.stringify(chain) ? known : chain] : []
    })
    if (next.length === this.configs.length && next.every((chain, index) => chain === this.configs[index]))
      return
    this.configs.splice(0, this.configs.length, ...next)
    for (const tell of this.#listeners) tell()
  }

  #join(network: Network, nodes: readonly NamedNode[]): ChainConfig | undefined {
    const of = (place: number) => nodes.find((node) => node.network === network && node.place === place)
    const first = of(1)
    const second = of(2)
    const given = this.#given(network)
    const chain = given ?? (first && chainOfNode(this.#needs.rules.settings, network, first))
    if (!chain) return undefined
    const takesSecond = second && chain.family === 'evm' && !chain.secondRpcUrl
    if (given && !takesSecond) return given
    return {
      ...chain,
      ...(takesSecond && { secondRpcUrl: second.url }),
      publicOnly: {
        first: !given && first !== undefined && this.#isOutside(first.url),
        second: Boolean(takesSecond && this.#isOutside(second.url)),
      },
    } as ChainConfig
  }

  // Rules: SETTLE-28
  /**
   * Omits nodes whose address can't be decrypted. A second node stays as a dead address: without it, payments
   * that need it would count by the first node alone.
   */
  #open({ id, network, place, kind, url_encrypted: sealed }: NodeRow): NamedNode[] {
    try {
      return [{ network, place, kind, url: this.#needs.secrets.decrypt(NODE_PURPOSE, sealed, id) }]
    } catch (error) {
      this.#needs.log.warn({ err: error, chain: network, place }, 'the address of a node can not be opened')
      return place === 2 ? [{ network, place, kind, url: UNREADABLE }] : []
    }
  }
}
