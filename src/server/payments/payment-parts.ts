import type { Network } from '../../shared/api/currencies.ts'
import type { Database } from '../database/database.ts'
import { createChainFacts, createSource } from './chain-access.ts'
import { type ChainConfig, readChains } from './chain-config.ts'
import { type Chains, createChains } from './chains.ts'
import { createJsonRpc, type JsonRpc } from './json-rpc.ts'
import { createPayments, type Payments } from './payments.ts'
import { createRefunds, type Refunds } from './refunds.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createWatchers, type Watchers, type WatchersLog } from './watchers.ts'

/** What the program does about payments, joined over the chains that the environment names. */
export interface PaymentParts {
  readonly configs: readonly ChainConfig[]
  readonly payments: Payments
  readonly wallets: Wallets
  readonly chains: Chains
  readonly refunds: Refunds
  readonly watchers: Watchers
  /** Ethereum's main network, where it is followed: Chainlink's feeds are there. */
  readonly ethereumRpc: JsonRpc | null
}

/** Refuses (`StartError`) a wrong CHAIN_… variable. */
export function createPaymentParts(
  db: Database,
  environment: Record<string, string | undefined>,
  hintOutbox: () => void,
  log: WatchersLog,
): PaymentParts {
  const configs = readChains(environment)
  const payments = createPayments({ db, chains: configs, hintOutbox })
  const main = configs.find((chain) => chain.network === ('ethereum' satisfies Network))
  return {
    configs,
    payments,
    wallets: createWallets(db, createChainFacts(configs), hintOutbox),
    chains: createChains(db, configs),
    refunds: createRefunds(db, payments),
    watchers: createWatchers({ db, chains: configs, sourceOf: createSource, hintOutbox, log }),
    ethereumRpc: main?.family === 'evm' && main.chainId === 1 ? createJsonRpc(main.rpcUrl) : null,
  }
}
