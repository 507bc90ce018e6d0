import { z } from 'zod'
import { operatorNodeSchemas as schemas } from '../../shared/api/chain-nodes-schemas.ts'
import type { OperatorChain } from '../../shared/api/payments.ts'
import {
  defaultConfirmations,
  isEvm,
  isFollowable,
  type Network,
  networkFacts,
  networks,
} from '../../shared/networks.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import { hostOf } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type ChainNodes, NODE_PURPOSE } from './chain-nodes.ts'
import { type ChainRow, operatorChain, selectChains } from './chain-rows.ts'

const placeInput = z.object({ network: z.enum(networks), place: z.number().int().min(1).max(2) })
const nodeInput = schemas.setNode.body.extend(placeInput.shape)
const removeInput = schemas.removeNode.body.extend(placeInput.shape)
const askedInput = placeInput.extend({ host: z.string(), answer: schemas.askNode.reply })
// Rules: SETTLE-26
export type AskedNode = z.output<typeof askedInput>
type Place = z.output<typeof placeInput>
type NodeInput = z.output<typeof nodeInput>

export interface NodeActionsNeeds {
  readonly nodes: ChainNodes
  readonly secrets: Secrets
}

/** A lying node could confirm payments that do not exist, so each needs approval. */
export const nodeActions = (needs: NodeActionsNeeds) => ({
  /** Audits who asked which host. The request was sent before, so that no node keeps the transaction open. */
  'chain.ask-node': defineAction({
    name: 'chain.ask-node',
    input: askedInput,
    execute: async (unit, { network, place, host, answer }) => {
      const after = { place, host, height: answer.height }
      await unit.audit('chain.ask-node', { type: 'chain', id: network }, { after })
      return answer
    },
  }),
  'chain.node': defineAction({
    name: 'chain.node',
    input: nodeInput,
    needsApproval: (tx, input) => showNode(needs, tx, input),
    execute: (unit, input) => setNode(needs, unit, input),
  }),
  'chain.node-remove': defineAction({
    name: 'chain.node-remove',
    input: removeInput,
    needsApproval: (tx, input) => showRemoval(needs, tx, input),
    execute: (unit, input) => removeNode(needs, unit, input),
  }),
})

/** Without a database. */
export function checkNode({ nodes }: Pick<NodeActionsNeeds, 'nodes'>, input: NodeInput): void {
  checkPlace(nodes, input)
  if (isEvm(input.network) !== (input.kind === 'evm')) refuseField('kind', 'invalid')
  if (!isEvm(input.network) && input.place === 2) refuseField('place', 'invalid')
  nodes.refuseAddress(input.url)
}

function checkPlace(nodes: ChainNodes, { network, place }: Place): void {
  if (!isFollowable(network)) refuse('chain_unknown')
  if (nodes.isGiven(network, place)) refuse('node_of_environment')
}

const readRow = (tx: Queryable, network: Network) =>
  tx.maybeOne<ChainRow>(sql`${selectChains} where c.name = ${network}`)

/** Shows old and new host; the rest of the address may be a secret. */
async function showNode(needs: NodeActionsNeeds, tx: Queryable, input: NodeInput): Promise<ApprovalDraft> {
  checkNode(needs, input)
  const { network, place, kind, url } = input
  const row = await readRow(tx, network)
  requireRevision(needs, row, input.revision)
  refuseTwin(needs, row, input)
  return {
    subject: { type: 'chain', id: network },
    summary: {
      network,
      place: String(place),
      before: hostAt(row, place) ?? '—',
      host: `${hostOf(url)} (${kind})`,
    },
    keep: { input },
  }
}

async function showRemoval(
  needs: NodeActionsNeeds,
  tx: Queryable,
  input: z.output<typeof removeInput>,
): Promise<ApprovalDraft> {
  checkPlace(needs.nodes, input)
  const row = await readRow(tx, input.network)
  requireRevision(needs, row, input.revision)
  const before = hostAt(row, input.place) ?? refuse('node_unknown')
  return {
    subject: { type: 'chain', id: input.network },
    summary: { network: input.network, place: String(input.place), before, host: '—' },
    keep: { input },
  }
}

const hostAt = (row: ChainRow | undefined, place: number): string | undefined =>
  row?.nodes.find((node) => node.place === place)?.host

/** The same host or domain in both places would confirm itself. */
function refuseTwin({ nodes }: NodeActionsNeeds, row: ChainRow | undefined, input: NodeInput): void {
  const known = row ? operatorChain(row, nodes).nodes : nodes.givenNodes(input.network)
  if (known.some((node) => node.place !== input.place && nodes.isTwin(node.host, input.url)))
    refuse('node_in_both_places')
}

function requireRevision(
  { nodes }: NodeActionsNeeds,
  row: ChainRow | undefined,
  revision: number | null,
): void {
  if ((row?.revision ?? null) === revision) return
  refuse('conflict', row && { current: operatorChain(row, nodes) })
}

/** Locked until the transaction ends; created if new. */
async function lockChain(
  needs: NodeActionsNeeds,
  unit: UnitOfWork,
  { network, revision }: Place & { revision: number | null },
): Promise<ChainRow> {
  if (!isFollowable(network)) return refuse('chain_unknown')
  const made = await unit.query(
    sql`insert into chains (name, family, confirmation_rules)
        values (${network}, ${networkFacts[network].family}, ${JSON.stringify(defaultConfirmations(network))})
        on conflict (name) do nothing returning 1`,
  )
  await unit.query(sql`select 1 from chains where name = ${network} for update`)
  const row = (await readRow(unit, network)) ?? refuse('chain_unknown')
  const isNew = revision === null && made.length > 0
  if (!isNew) requireRevision(needs, row, revision)
  return row
}

async function setNode(needs: NodeActionsNeeds, unit: UnitOfWork, input: NodeInput): Promise<OperatorChain> {
  checkNode(needs, input)
  const { network, place, kind, url } = input
  const before = await lockChain(needs, unit, input)
  refuseTwin(needs, before, input)
  // The id is part of the encryption's context.
  const { id } = await unit.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('chain_nodes', 'id')) as id`,
  )
  await unit.query(sql`delete from chain_nodes where network = ${network} and place = ${place}`)
  await unit.query(
    sql`insert into chain_nodes (id, network, place, kind, host, url_encrypted, set_by) overriding system value
        values (${id}, ${network}, ${place}, ${kind}, ${hostOf(url)},
                ${needs.secrets.encrypt(NODE_PURPOSE, url, id)}, ${unit.actor.operatorId})`,
  )
  return changed(needs, unit, 'chain.node', input, {
    before: { host: hostAt(before, place) ?? null },
    after: { place, kind, host: hostOf(url) },
  })
}

async function removeNode(
  needs: NodeActionsNeeds,
  unit: UnitOfWork,
  input: z.output<typeof removeInput>,
): Promise<OperatorChain> {
  checkPlace(needs.nodes, input)
  const { network, place } = input
  const row = await readRow(unit, network)
  if (!row) return refuse('node_unknown')
  const before = await lockChain(needs, unit, input)
  const host = hostAt(before, place) ?? refuse('node_unknown')
  await unit.query(sql`delete from chain_nodes where network = ${network} and place = ${place}`)
  return changed(needs, unit, 'chain.node-remove', input, {
    before: { place, host },
    after: { host: null },
  })
}

// Rules: SETTLE-26
/**
 * A new epoch rejects later results of the old node's readers. Consent to the old node's chain does not
 * extend to the new node. If nothing was ever paid, the first block is forgotten too: the old node may have
 * lied about it.
 */
async function changed(
  { nodes }: NodeActionsNeeds,
  unit: UnitOfWork,
  action: 'chain.node' | 'chain.node-remove',
  { network, place }: Place,
  entry: { before: object; after: object },
): Promise<OperatorChain> {
  await unit.query(
    sql`update chains set revision = revision + 1, epoch = epoch + 1, takes_new_chain = takes_new_chain and ${place} <> 1,
               identity = case when ${place} <> 1 or chain_is_in_use(name) then identity end
         where name = ${network}`,
  )
  await unit.audit(action, { type: 'chain', id: network }, entry)
  return operatorChain((await readRow(unit, network)) ?? refuse('chain_unknown'), nodes)
}
