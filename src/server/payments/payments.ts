import type { Network } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'
import type { Database } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { ChainAccess, createSource } from './chain-access.ts'
import { ChainNodes, type NodeRules } from './chain-nodes.ts'
import { Chains } from './chains.ts'
import { EvmAccounts } from './evm/evm-accounts.ts'
import { EvmLooks } from './evm/evm-looks.ts'
import { lookAtHoldings } from './evm/holding-looks.ts'
import { firstRpc } from './evm/node-rpc.ts'
import type { JsonRpc } from './json-rpc.ts'
import { ReceivedPayments } from './received-payments.ts'
import { Refunds } from './refunds.ts'
import { Wallets } from './wallets.ts'
import { Watchers, type WatchersLog } from './watchers.ts'

export interface PaymentsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
  /** The chains whose nodes the environment names, and what pages may name. */
  readonly configs: readonly ChainConfig[]
  readonly nodeRules?: NodeRules
  /** Called after a watcher wrote what left a message in the outbox. */
  hintOutbox(): void
  readonly log: WatchersLog
}

/** What the program does about payments, joined over the chains that are followed. */
export class Payments {
  /** The chains that are followed now (`ChainNodes.configs`). */
  readonly configs: readonly ChainConfig[]
  readonly nodes: ChainNodes
  readonly received: ReceivedPayments
  readonly refunds: Refunds
  readonly wallets: Wallets
  readonly chains: Chains
  readonly watchers: Watchers
  /** What nodes say of single accounts. */
  readonly evmAccounts: EvmAccounts
  /** What contracts say in blocks that are known by their hash. */
  readonly evmLooks: EvmLooks
  readonly #db: Database

  constructor({ db, units, secrets, configs: given, nodeRules, hintOutbox, log }: PaymentsNeeds) {
    const rules = nodeRules ?? { settings: new Map(), hosts: [] }
    const nodes = new ChainNodes({ db, secrets, given, rules, log })
    const { configs } = nodes
    const access = new ChainAccess(configs)
    const explorerUrl = access.explorerUrl.bind(access)
    this.#db = db
    this.configs = configs
    this.nodes = nodes
    this.received = new ReceivedPayments({ db, explorerUrl })
    this.refunds = new Refunds({ db, units, secrets, configs, explorerUrl })
    this.wallets = new Wallets({ db, secrets, chains: access })
    this.chains = new Chains({ db, nodes, secrets })
    this.watchers = new Watchers({
      db,
      secrets,
      chains: configs,
      nodes,
      sourceOf: (chain) => createSource(chain),
      hintOutbox,
      log,
    })
    this.evmAccounts = new EvmAccounts(configs)
    this.evmLooks = new EvmLooks(configs)
  }

  /** Ethereum's main network, where it is followed: Chainlink's feeds are there. */
  get ethereumRpc(): JsonRpc | null {
    const main = this.configs.find((chain) => chain.network === ('ethereum' satisfies Network))
    return main?.family === 'evm' && main.chainId === 1 ? firstRpc(main) : null
  }

  /** Notes what the watched addresses of EVM chains hold. */
  lookAtHoldings(): Promise<void> {
    return lookAtHoldings({ db: this.#db, configs: this.configs, looks: this.evmLooks })
  }

  /** What operators can change of payments, refunds, wallets and chains. */
  get actions() {
    return {
      ...this.received.actions,
      ...this.refunds.actions,
      ...this.wallets.actions,
      ...this.chains.actions,
    }
  }
}
