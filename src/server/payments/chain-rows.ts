import type { OperatorChain } from '../../shared/api/payments.ts'
import type { Network } from '../../shared/networks.ts'
import { fragment } from '../database/database.ts'

export interface ChainRow {
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
  second_error: string | null
  second_error_at: Date | null
  failing_since: Date | null
  stopped: boolean
  confirmation_rules: OperatorChain['confirmationRules']
  refund_senders: string[]
  revision: number
  open_addresses: number
  nodes: (Omit<OperatorChain['nodes'][number], 'source' | 'setAt'> & { setAt: string })[]
}

export const selectChains = fragment`select c.*, (select count(*)::integer
     from wallet_addresses a join currencies k on k.id = a.currency_id
    where k.network = c.name and a.reserved_at > clock_timestamp() - interval '8 days') as open_addresses,
    (select coalesce(json_agg(json_build_object('place', n.place, 'kind', n.kind, 'host', n.host, 'setAt', n.set_at, 'setBy', o.login)
                              order by n.place), '[]')
       from chain_nodes n join operators o on o.id = n.set_by where n.network = c.name) as nodes
  from chains c`

const numberOrNull = (height: string | null) => (height === null ? null : Number(height))

/** The first node's, else the second's, which delays only large payments. */
function errorOf(row: ChainRow): Pick<OperatorChain, 'lastError' | 'lastErrorAt'> {
  const isOfSecond = row.last_error === null && row.second_error !== null
  const at = isOfSecond ? row.second_error_at : row.last_error_at
  return {
    lastError: isOfSecond ? `the second node: ${row.second_error}` : row.last_error,
    lastErrorAt: at?.toISOString() ?? null,
  }
}

export interface GivenNodes {
  givenNodes(network: Network): Pick<OperatorChain['nodes'][number], 'place' | 'kind' | 'host'>[]
}

/** By place: the environment's before a page's. */
function nodesOf(row: ChainRow, given: GivenNodes): OperatorChain['nodes'] {
  const nodes: OperatorChain['nodes'] = given
    .givenNodes(row.name)
    .map((node) => ({ ...node, source: 'environment', setAt: null, setBy: null }))
  for (const node of row.nodes)
    if (!nodes.some(({ place }) => place === node.place))
      nodes.push({ ...node, source: 'page', setAt: new Date(node.setAt).toISOString() })
  return nodes.toSorted((one, other) => one.place - other.place)
}

export function operatorChain(row: ChainRow, given: GivenNodes): OperatorChain {
  const nodes = nodesOf(row, given)
  const height = numberOrNull(row.height)
  const nodeHeight = numberOrNull(row.node_height)
  return {
    network: row.name,
    family: row.family,
    configured: nodes.some(({ place }) => place === 1),
    nodes,
    height,
    nodeHeight,
    lagBlocks: height === null || nodeHeight === null ? null : Math.max(0, nodeHeight - height),
    finalizedHeight: numberOrNull(row.finalized_height),
    polledAt: row.polled_at?.toISOString() ?? null,
    leader: row.leader,
    epoch: row.epoch,
    ...errorOf(row),
    failingSince: row.failing_since?.toISOString() ?? null,
    stopped: row.stopped,
    openAddresses: row.open_addresses,
    confirmationRules: row.confirmation_rules.map((rule) => ({
      ...rule,
      finalized: rule.finalized ?? false,
    })),
    refundSenders: row.refund_senders,
    revision: row.revision,
  }
}
