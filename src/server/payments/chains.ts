import type { OperatorChain, SettlementRules } from '../../shared/api/payments.ts'
import type { Network } from '../../shared/networks.ts'
import type { NodeKind } from '../chain-config.ts'
import { type Database, sql } from '../database/database.ts'
import { hostOf } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { chainActions } from './chain-actions.ts'
import type { ChainNodes } from './chain-nodes.ts'
import { type ChainRow, operatorChain, selectChains } from './chain-rows.ts'
import { type AskedNode, checkNode, nodeActions } from './node-actions.ts'
import { askNode } from './node-answer.ts'

export interface ChainsNeeds {
  readonly db: Database
  readonly nodes: ChainNodes
  readonly secrets: Secrets
}

interface NodeInPlace {
  readonly network: Network
  readonly place: number
  readonly kind: NodeKind
  readonly url: string
}

export class Chains {
  readonly actions: ReturnType<typeof chainActions> & ReturnType<typeof nodeActions>
  readonly #db: Database
  readonly #nodes: ChainNodes

  constructor({ db, nodes, secrets }: ChainsNeeds) {
    this.#db = db
    this.#nodes = nodes
    this.actions = { ...chainActions(nodes), ...nodeActions({ nodes, secrets }) }
  }

  async list(): Promise<OperatorChain[]> {
    const rows = await this.#db.query<ChainRow>(sql`${selectChains} order by c.name`)
    return rows.map((row) => operatorChain(row, this.#nodes))
  }

  /** With each chain's confirmations. */
  async rules(): Promise<SettlementRules> {
    const rows = await this.#db.query<{
      name: Network
      confirmation_rules: SettlementRules['chains'][number]['confirmations']
    }>(sql`select name, confirmation_rules from chains order by name`)
    const limits = await this.#db.one<Omit<SettlementRules, 'chains'>>(
      sql`select tolerance_share as "toleranceShare", tolerance_usd as "toleranceUsd", least_usd as "leastUsd",
                 extract(epoch from confirm_within)::integer / 3600 as "confirmWithinHours"
            from settlement_rules()`,
    )
    return {
      ...limits,
      chains: rows.map((row) => ({
        network: row.name,
        confirmations: row.confirmation_rules.map((rule) => ({
          ...rule,
          finalized: rule.finalized ?? false,
        })),
      })),
    }
  }

  /** Errors: those of `chain.node`, node_silent, node_other_network. */
  async ask(node: NodeInPlace & { revision: number | null }): Promise<AskedNode> {
    checkNode({ nodes: this.#nodes }, node)
    const answer = await askNode(this.#db, this.#nodes.configOf(node))
    return { network: node.network, place: node.place, host: hostOf(node.url), answer }
  }

  async askPresent(network: Network, place: number): Promise<AskedNode> {
    await this.#nodes.refresh()
    const config = this.#nodes.configAt(network, place) ?? refuse('node_unknown')
    const answer = await askNode(this.#db, config)
    const url = config.family === 'evm' ? config.rpcUrl : config.node.url
    return { network, place, host: hostOf(url), answer }
  }
}
