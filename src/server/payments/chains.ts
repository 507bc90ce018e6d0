import type { Network } from '../../shared/api/currencies.ts'
import type { OperatorChain, SettlementRules } from '../../shared/api/payments.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Database, sql } from '../database/database.ts'
import { chainActs } from './chain-acts.ts'
import { type ChainRow, operatorChain, selectChains } from './chain-rows.ts'

export interface ChainsNeeds {
  readonly db: Database
  readonly configs: readonly ChainConfig[]
}

/** Chains as operators see them, and the rules by which payments on them count. */
export class Chains {
  readonly acts: ReturnType<typeof chainActs>
  readonly #db: Database
  readonly #configs: readonly ChainConfig[]

  constructor({ db, configs }: ChainsNeeds) {
    this.#db = db
    this.#configs = configs
    this.acts = chainActs((network) => this.#isConfigured(network))
  }

  async list(): Promise<OperatorChain[]> {
    const rows = await this.#db.query<ChainRow>(sql`${selectChains} order by c.name`)
    return rows.map((row) => operatorChain(row, this.#isConfigured(row.name)))
  }

  /** How payments settle, with the confirmations that each chain asks for. */
  async rules(): Promise<SettlementRules> {
    const rows = await this.#db.query<{
      name: Network
      confirmation_rules: SettlementRules['chains'][number]['confirmations']
    }>(sql`select name, confirmation_rules from chains order by name`)
    const limits = await this.#db.one<Omit<SettlementRules, 'chains'>>(
      sql`select tolerance_share as "toleranceShare", tolerance_usd as "toleranceUsd",
                 locked_share as "lockedShare", extract(epoch from top_up)::integer / 3600 as "restHours",
                 extract(epoch from late)::integer / 3600 as "lateHours", extract(epoch from choose)::integer / 86400 as "chooseDays",
                 extract(epoch from confirm_within)::integer / 3600 as "confirmWithinHours",
                 extract(epoch from declare)::integer / 86400 as "declareDays", unconfirmed_share as "unconfirmedShare",
                 unpaid_share as "unpaidShare"
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

  #isConfigured(network: Network): boolean {
    return this.#configs.some((config) => config.network === network)
  }
}
