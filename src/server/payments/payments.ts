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
  /** From the environment; `nodeRules` limits pages. */
  readonly configs: readonly ChainConfig[]
  readonly nodeRules?: NodeRules
  hintOutbox(): void
  readonly log: WatchersLog
}

export class Payments {
  /** `ChainNodes.configs`. */
  readonly configs: readonly ChainConfig[]
  readonly nodes: ChainNodes
  readonly received: ReceivedPayments
  readonly refunds: Refunds
  readonly wallets: Wallets
  readonly chains: Chains
  readonly watchers: Watchers
  readonly evmAccounts: EvmAccounts
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

  /** If followed, for Chainlink's feeds. */
  get ethereumRpc(): JsonRpc | null {
    const main = this.configs.find((chain) => chain.network === ('ethereum' satisfies Network))
    return main?.family === 'evm' && main.chainId === 1 ? firstRpc(main) : null
  }

  lookAtHoldings(): Promise<void> {
    return lookAtHoldings({ db: this.#db, configs: this.configs, looks: this.evmLooks })
  }

  get actions() {
    return {
      ...this.received.actions,
      ...this.refunds.actions,
      ...this.wallets.actions,
      ...this.chains.actions,
    }
  }
}
