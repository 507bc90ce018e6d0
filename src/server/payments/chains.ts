import type { Network } from '../../shared/api/currencies.ts'
import type { OperatorChain } from '../../shared/api/payments.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { ChainConfig } from './chain-config.ts'

interface ChainRow {
  name: Network
  family: 'bitcoin' | 'evm'
  height: string | null
  node_height: string | null
  finalized_height: string | null
  polled_at: Date | null
  leader: string | null
  epoch: string
  last_error: string | null
  last_error_at: Date | null
  failing_since: Date | null
  stopped: boolean
  confirmation_rules: OperatorChain['confirmationRules']
  revision: number
  open_addresses: number
}

const SELECT = `select c.*, (select count(*)::integer from wallet_addresses a join currencies k on k.id = a.currency_id
    where k.network = c.name and a.reserved_at > clock_timestamp() - interval '8 days') as open_addresses from chains c`
const LIST = statement('chains_list', `${SELECT} order by c.name`)
const FIND = statement('chain_find', `${SELECT} where c.name = $1`)
const SET_RULES = statement(
  'chain_set_rules',
  'update chains set confirmation_rules = $2, revision = revision + 1 where name = $1',
)
const RESUME = statement(
  'chain_resume',
  'update chains set stopped = false, last_error = null, failing_since = null, revision = revision + 1 where name = $1 and stopped',
)

export interface ChainEditor {
  readonly operatorId: string
  readonly requestId: string
}

/** Chains as operators see them. */
export interface Chains {
  list(): Promise<OperatorChain[]>
  /** Refusal: chain_unknown. Payments that are known already keep what they need. */
  setConfirmations(
    network: Network,
    rules: OperatorChain['confirmationRules'],
    editor: ChainEditor,
  ): Promise<OperatorChain>
  /** Lets a stopped chain go on. Refusal: chain_unknown. */
  resume(network: Network, editor: ChainEditor): Promise<OperatorChain>
}

export function createChains(db: Database, configs: readonly ChainConfig[]): Chains {
  const isConfigured = (network: Network) => configs.some((config) => config.network === network)
  const find = async (queryable: Queryable, network: Network) =>
    (await queryable.maybeOne<ChainRow>(FIND, [network])) ?? refuse('chain_unknown')

  return {
    async list() {
      return (await db.query<ChainRow>(LIST)).map((row) => operatorChain(row, isConfigured(row.name)))
    },

    setConfirmations: (network, rules, editor) =>
      db.transaction(async (tx) => {
        const before = await find(tx, network)
        await tx.query(SET_RULES, [network, JSON.stringify(rules)])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'chain.confirmations',
          subjectType: 'chain',
          subjectId: network,
          before: before.confirmation_rules,
          after: rules,
          requestId: editor.requestId,
        })
        return operatorChain(await find(tx, network), isConfigured(network))
      }),

    resume: (network, editor) =>
      db.transaction(async (tx) => {
        const before = await find(tx, network)
        await tx.query(RESUME, [network])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'chain.resume',
          subjectType: 'chain',
          subjectId: network,
          before: { error: before.last_error },
          requestId: editor.requestId,
        })
        return operatorChain(await find(tx, network), isConfigured(network))
      }),
  }
}

const numberOrNull = (height: string | null) => (height === null ? null : Number(height))

function operatorChain(row: ChainRow, configured: boolean): OperatorChain {
  const height = numberOrNull(row.height)
  const nodeHeight = numberOrNull(row.node_height)
  return {
    network: row.name,
    family: row.family,
    configured,
    height,
    nodeHeight,
    lagBlocks: height === null || nodeHeight === null ? null : Math.max(0, nodeHeight - height),
    finalizedHeight: numberOrNull(row.finalized_height),
    polledAt: row.polled_at?.toISOString() ?? null,
    leader: row.leader,
    epoch: row.epoch,
    lastError: row.last_error,
    lastErrorAt: row.last_error_at?.toISOString() ?? null,
    failingSince: row.failing_since?.toISOString() ?? null,
    stopped: row.stopped,
    openAddresses: row.open_addresses,
    confirmationRules: row.confirmation_rules.map((rule) => ({
      ...rule,
      finalized: rule.finalized ?? false,
    })),
    revision: row.revision,
  }
}
