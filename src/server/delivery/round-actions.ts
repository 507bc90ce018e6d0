import { z } from 'zod'
import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import { roundInput } from '../../shared/api/rounds-inputs.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type { Network } from '../../shared/networks.ts'
import { percentOfBps } from '../../shared/unlocking.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import type { EvmFacts } from './address-rows.ts'
import { type ListedRow, type PlanRow, planOf, roundFile } from './round-file.ts'
import { readRound } from './round-rows.ts'

const roundNumber = z.object({ number: z.number().int() })
const target = z.object({ network: z.string().nullable(), token: z.string().nullable() })
/** `shown`: as shown to the second operator; a different target is a `conflict`. */
const freezing = roundNumber.extend({ shown: target.optional() })
/** `shown`: likewise, a network. */
const announcing = roundInput.and(z.object({ shown: z.string().nullable().optional() }))
type NewRound = z.output<typeof announcing>

export const roundActions = (evm: EvmFacts) => ({
  'round.announce': defineAction({
    name: 'round.announce',
    input: announcing,
    needsApproval: showPlan,
    execute: (unit, input) => announce(unit, input, evm),
  }),
  'round.cancel': defineAction({ name: 'round.cancel', input: roundNumber, execute: cancel }),
  /** Moves holdings to allocated and publishes the list. */
  'round.freeze': defineAction({
    name: 'round.freeze',
    input: freezing,
    needsApproval: showFreeze,
    execute: (unit, input) => freeze(unit, input, evm),
  }),
})

async function announce(unit: UnitOfWork, { shown, ...plan }: NewRound, evm: EvmFacts): Promise<number> {
  const network = await holdNetwork(unit)
  if (shown !== undefined && shown !== network) refuse('conflict')
  const leftoverTo = await checkedLeftoverTo(unit, network, plan.leftoverTo)
  const row = {
    cut_at: plan.cutAt,
    freeze_from: plan.freezeFrom,
    starts_at: plan.startsAt,
    start_bps: plan.startBps,
    cliff_seconds: plan.cliffSeconds,
    linear_seconds: plan.linearSeconds,
    leftover_to: leftoverTo,
    network,
    chain_id: network && evm.chainIdOf(network),
  }
  const { refusal, number } = await unit.one<{ refusal: ErrorCode | null; number: number }>(
    sql`select refusal, number from announce_round(
          jsonb_populate_record(null::delivery_rounds, ${JSON.stringify(row)}::jsonb), ${unit.actor.operatorId})`,
  )
  if (refusal) refuse(refusal)
  await unit.audit('round.announce', { type: 'delivery-round', id: String(number) }, { after: plan })
  return number
}

/** Locked until commit; null if no network is chosen. */
async function holdNetwork(tx: Queryable): Promise<Network | null> {
  const { network } = await tx.one<{ network: Network | null }>(
    sql`select settings #>> '{delivery,chain}' as network from campaign for key share`,
  )
  return network
}

/** Unclaimed tokens go to the seller, never to an address of the sale's payments. */
async function checkedLeftoverTo(tx: Queryable, network: Network | null, given: string): Promise<string> {
  const problem = checkAddress(network ?? 'ethereum', given)
  if (problem) refuse('address_invalid', { problem, network })
  const address = evmChecksum(given)
  const { isZeroOrToken } = await tx.one<{ isZeroOrToken: boolean }>(
    sql`select lower(${address}) in ('0x' || repeat('0', 40), coalesce(lower(settings #>> '{delivery,tokenContract}'), ''))
               as "isZeroOrToken" from campaign`,
  )
  if (isZeroOrToken) refuse('delivery_address_ours')
  return address
}

async function cancel(unit: UnitOfWork, { number }: z.output<typeof roundNumber>): Promise<number> {
  await readRound(unit, number)
  const cancelled = await unit.query(
    sql`update delivery_rounds set state = 'cancelled' where number = ${number} and state = 'announced' returning number`,
  )
  if (cancelled.length === 0) refuse('round_state')
  await unit.audit('round.cancel', { type: 'delivery-round', id: String(number) })
  return number
}

interface FrozenRow extends PlanRow {
  name: string
  symbol: string
  network: Network
  chain_id: string
  cut_at: Date
}

function readTarget(tx: Queryable): Promise<z.output<typeof target>> {
  return tx.one(
    sql`select settings #>> '{delivery,chain}' as network, settings #>> '{delivery,tokenContract}' as token from campaign`,
  )
}

// Rules: DELIVER-9, DELIVER-10
async function freeze(
  unit: UnitOfWork,
  { number, shown }: z.output<typeof freezing>,
  evm: EvmFacts,
): Promise<number> {
  const { refusal, frozenAt } = await unit.one<{ refusal: ErrorCode | null; frozenAt: Date }>(
    sql`select refusal, frozen_at as "frozenAt" from freeze_round(${number}, ${unit.actor.operatorId})`,
  )
  if (refusal) refuse(refusal)
  const plan = await unit.one<FrozenRow>(
    sql`select c.settings ->> 'name' as name, c.settings ->> 'symbol' as symbol, r.*
          from delivery_rounds r, campaign c where r.number = ${number}`,
  )
  if (shown && (shown.network !== plan.network || shown.token !== plan.token)) refuse('conflict')
  // The name may now mean another chain, such as a test network.
  const chainId = Number(plan.chain_id)
  if (evm.chainIdOf(plan.network) !== chainId) refuse('round_network')
  const rows = await unit.query<ListedRow>(
    sql`select place, address, tokens::text, purchased_tokens::text as purchased, bonus_tokens::text as bonus,
               granted_tokens::text as granted
          from delivery_round_rows where round = ${number} order by place`,
  )
  const { content, sha256, root, tree } = await roundFile({
    ...planOf(plan),
    round: number,
    sale: { name: plan.name, symbol: plan.symbol },
    network: plan.network,
    chainId,
    cutAt: plan.cut_at,
    frozenAt,
    rows,
  })
  await unit.query(
    sql`insert into delivery_round_files (round, frozen_at, row_count, tokens, purchased, bonus, granted, root, sha256, content, tree)
        select ${number}, ${frozenAt}, count(*), sum(tokens), sum(purchased_tokens), sum(bonus_tokens), sum(granted_tokens),
               ${root}, ${sha256}, ${Buffer.from(content)}, ${tree}
          from delivery_round_rows where round = ${number}`,
  )
  await unit.audit(
    'round.freeze',
    { type: 'delivery-round', id: String(number) },
    { after: { root, sha256 } },
  )
  return number
}

async function showPlan(tx: Queryable, plan: NewRound): Promise<ApprovalDraft> {
  const { network: shown } = await readTarget(tx)
  return {
    keep: { input: { ...plan, shown } },
    subject: { type: 'delivery-round', id: '' },
    summary: {
      network: shown ?? '',
      cutAt: plan.cutAt,
      freezeFrom: plan.freezeFrom,
      startsAt: plan.startsAt,
      startPercent: percentOfBps(plan.startBps),
      cliffSeconds: String(plan.cliffSeconds),
      linearSeconds: String(plan.linearSeconds),
      leftoverTo: plan.leftoverTo,
    },
  }
}

async function showFreeze(tx: Queryable, { number }: z.output<typeof roundNumber>): Promise<ApprovalDraft> {
  const { cutAt, startsAt, leftoverTo } = await readRound(tx, number)
  const shown = await readTarget(tx)
  return {
    subject: { type: 'delivery-round', id: String(number) },
    summary: {
      round: String(number),
      network: shown.network ?? '',
      contract: shown.token ?? '',
      cutAt,
      startsAt,
      leftoverTo,
    },
    keep: { input: { number, shown } },
  }
}
