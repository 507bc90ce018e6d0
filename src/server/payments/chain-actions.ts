import { z } from 'zod'
import type { OperatorChain } from '../../shared/api/payments.ts'
import { operatorPaymentSchemas as schemas } from '../../shared/api/payments-schemas.ts'
import { type Network, networks } from '../../shared/networks.ts'
import { type Alone, type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type ChainRow, type GivenNodes, operatorChain, selectChains } from './chain-rows.ts'

const chainInput = z.object({
  network: z.enum(networks),
  /** As shown; a different revision is a `conflict`. Omitted: any. */
  revision: z.number().int().optional(),
  /** If the chain was running when one operator decided, a stop meanwhile is a `conflict`. */
  goesOn: z.literal(true).optional(),
})
type ChainInput = z.output<typeof chainInput>
const rulesInput = schemas.setConfirmations.body.extend(chainInput.shape)
type RulesInput = z.output<typeof rulesInput>

// Rules: SETTLE-18
export const chainActions = (given: GivenNodes) => ({
  /** Known payments that are neither credited nor owed may need more, never less. */
  'chain.confirmations': defineAction({
    name: 'chain.confirmations',
    input: rulesInput,
    needsApproval: (tx, input) => showRules(tx, given, input),
    execute: (unit, input) => setRules(unit, given, input),
  }),
  /** Accepts the node's blocks, even below finality. */
  'chain.resume': defineAction({
    name: 'chain.resume',
    input: chainInput,
    needsApproval: showStop,
    execute: (unit, input) => resume(unit, given, input),
  }),
})

async function readChain(tx: Queryable, network: Network): Promise<ChainRow> {
  const row = await tx.maybeOne<ChainRow>(sql`${selectChains} where c.name = ${network}`)
  return row ?? refuse('chain_unknown')
}

/**
 * Locked until the transaction ends. Errors: chain_unknown, conflict if the chain changed since it was shown.
 */
async function lockChain(
  unit: UnitOfWork,
  given: GivenNodes,
  { network, revision }: ChainInput,
): Promise<ChainRow> {
  await unit.query(sql`select 1 from chains where name = ${network} for update`)
  const chain = await readChain(unit, network)
  if (revision !== undefined && revision !== chain.revision)
    refuse('conflict', { current: operatorChain(chain, given) })
  return chain
}

async function setRules(unit: UnitOfWork, given: GivenNodes, input: RulesInput): Promise<OperatorChain> {
  const { network, rules } = input
  const before = await lockChain(unit, given, input)
  await unit.query(
    sql`update chains set confirmation_rules = ${JSON.stringify(rules)}, revision = revision + 1 where name = ${network}`,
  )
  await unit.audit(
    'chain.confirmations',
    { type: 'chain', id: network },
    { before: { confirmations: before.confirmation_rules }, after: { confirmations: rules } },
  )
  return operatorChain(await readChain(unit, network), given)
}

// Rules: TWO-5
async function showRules(tx: Queryable, given: GivenNodes, input: RulesInput): Promise<ApprovalDraft> {
  const { network, rules } = input
  const chain = await readChain(tx, network)
  const { confirmation_rules: before, revision } = chain
  if (input.revision !== undefined && input.revision !== revision)
    refuse('conflict', { current: operatorChain(chain, given) })
  return {
    subject: { type: 'chain', id: network },
    summary: { network, before: ruleText(before), confirmations: ruleText(rules) },
    keep: { input: { network, rules, revision } },
  }
}

// Rules: TWO-7
/** A second operator sees why the chain stopped; while it runs, resuming needs no approval. */
async function showStop(tx: Queryable, { network }: ChainInput): Promise<ApprovalDraft | Alone<ChainInput>> {
  const { stopped, last_error: fault, revision } = await readChain(tx, network)
  if (!stopped) return { alone: { network, goesOn: true } }
  return {
    subject: { type: 'chain', id: network },
    summary: { network, ...(fault ? { reason: fault } : {}) },
    keep: { input: { network, revision } },
  }
}

/** `< $1000: 1, < $10000: 2, 6 finalized`. */
function ruleText(rules: OperatorChain['confirmationRules']): string {
  return rules
    .map(({ belowUsd, confirmations, finalized }) => {
      const count = finalized ? `${confirmations} finalized` : String(confirmations)
      return belowUsd === null ? count : `< $${belowUsd}: ${count}`
    })
    .join(', ')
}

async function resume(unit: UnitOfWork, given: GivenNodes, input: ChainInput): Promise<OperatorChain> {
  const { network } = input
  const chain = await lockChain(unit, given, input)
  if (input.goesOn && chain.stopped) refuse('conflict', { current: operatorChain(chain, given) })
  await unit.query(
    sql`update chains set stopped = false, takes_new_chain = true, last_error = null, failing_since = null,
               revision = revision + 1
         where name = ${network} and stopped`,
  )
  await unit.audit(
    'chain.resume',
    { type: 'chain', id: network },
    {
      before: { error: chain.last_error },
      after: { takesNewChain: true },
    },
  )
  return operatorChain(await readChain(unit, network), given)
}
