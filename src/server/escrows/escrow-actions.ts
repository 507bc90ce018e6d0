import { isDeepStrictEqual } from 'node:util'
import type { Address } from 'viem'
import { z } from 'zod'
import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import { escrowInput } from '../../shared/api/escrows-inputs.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type { Network } from '../../shared/networks.ts'
import { percentOfBps } from '../../shared/unlocking.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type EscrowLook, escrowLook, placeOfEscrow, readsOfEscrow } from './escrow-code.ts'
import { assetOf, type EscrowPlan, NATIVE, readPlan } from './escrow-plans.ts'
import type { EscrowParts } from './escrows.ts'
import { ensureQuoteKey, makeQuoteKey, readQuoteKey } from './quote-keys.ts'

const byNumber = z.object({ number: z.number().int() })
/** As shown to the second operator; a different one is a `conflict`. */
const target = z.object({ network: z.string(), token: z.string(), assets: z.array(z.string()) })
const announcing = escrowInput.and(z.object({ shown: target.optional() }))
type NewEscrow = z.output<typeof announcing>
const entering = byNumber.extend({
  seen: z.object({ height: z.number().int(), hash: z.string() }).optional(),
})
type Entering = z.output<typeof entering>

export const escrowActions = (parts: EscrowParts) => ({
  /** Creates the quote key with the first escrow. */
  'escrow.announce': defineAction({
    name: 'escrow.announce',
    input: announcing,
    needsApproval: (tx, input) => showTerms(parts, tx, input),
    execute: (unit, input) => announce(parts, unit, input),
  }),
  'escrow.withdraw': defineAction({ name: 'escrow.withdraw', input: byNumber, execute: withdraw }),
  /** Puts an announced escrow in force, if a final block shows its contract. */
  'escrow.enter': defineAction({
    name: 'escrow.enter',
    input: entering,
    needsApproval: (tx, input) => showLook(parts, tx, input),
    execute: (unit, input) => enter(parts, unit, input),
  }),
  /** Until the seller has set the new key in an escrow, no payment of that escrow is signed. */
  'escrow.key': defineAction({
    name: 'escrow.key',
    input: z.object({}),
    execute: (unit) => makeQuoteKey(unit, parts.secrets),
  }),
})

/** The token, and the contracts of the accepted currencies, which stay locked until the transaction ends. */
async function readTarget({ evm }: EscrowParts, tx: Queryable, codes: readonly string[]) {
  const { network, token } = await tx.one<{ network: Network | null; token: string | null }>(
    sql`select settings #>> '{delivery,chain}' as network, settings #>> '{delivery,tokenContract}' as token from campaign for key share`,
  )
  const chainId = network && evm.chainIdOf(network)
  if (!network || !chainId) return refuse('delivery_chain_missing')
  if (!token) return refuse('delivery_token_missing')
  return { network, chainId, token, accepted: await acceptedOf(tx, network, token, codes) }
}
type Target = Awaited<ReturnType<typeof readTarget>>

const shownOf = ({ network, token, accepted }: Target): z.output<typeof target> => ({
  network,
  token,
  assets: accepted.map(({ asset }) => asset),
})

// Rules: DELIVER-15
async function announce(
  parts: EscrowParts,
  unit: UnitOfWork,
  { shown, currencies, ...plan }: NewEscrow,
): Promise<number> {
  const found = await readTarget(parts, unit, currencies)
  if (shown && !isDeepStrictEqual(shown, shownOf(found))) refuse('conflict')
  const { network, chainId, token, accepted } = found
  const row = {
    stage_id: plan.stageId,
    chain: network,
    chain_id: chainId,
    token: evmChecksum(token),
    seller: checkedAddress(network, token, plan.seller),
    treasury: checkedAddress(network, token, plan.treasury),
    quote_key: await ensureQuoteKey(unit, parts.secrets),
    cap_tokens: plan.capTokens,
    closes_at: wholeSecond(plan.closesAt),
    deliver_by: wholeSecond(plan.deliverBy),
    review_seconds: plan.reviewSeconds,
    locks_first: plan.locksFirst,
    start_bps: plan.startBps,
    cliff_seconds: plan.cliffSeconds,
    linear_seconds: plan.linearSeconds,
    assets: [...new Set(accepted.map(({ asset }) => asset))],
  }
  const { refusal, number } = await unit.one<{ refusal: ErrorCode | null; number: number }>(
    sql`select refusal, number from announce_escrow(
          jsonb_populate_record(null::escrow_plans, ${JSON.stringify(row)}::jsonb), ${unit.actor.operatorId})`,
  )
  if (refusal) refuse(refusal)
  await unit.audit(
    'escrow.announce',
    { type: 'escrow', id: String(number) },
    {
      after: {
        network,
        chainId,
        tokenContract: row.token,
        seller: row.seller,
        treasury: row.treasury,
        total: row.cap_tokens,
        closesAt: row.closes_at,
        deliverBy: row.deliver_by,
        key: row.quote_key,
        stage: row.stage_id,
      },
    },
  )
  return number
}

/** Chains count whole seconds. */
const wholeSecond = (moment: string) => new Date(Math.floor(Date.parse(moment) / 1000) * 1000).toISOString()

function checkedAddress(network: Network, token: string, given: string): string {
  const problem = checkAddress(network, given)
  if (problem) refuse('address_invalid', { problem, network })
  const address = evmChecksum(given)
  if ([NATIVE, token.toLowerCase()].includes(address.toLowerCase())) refuse('delivery_address_ours')
  return address
}

/** The zero address for the native coin. */
async function acceptedOf(
  tx: Queryable,
  network: Network,
  sold: string,
  codes: readonly string[],
): Promise<{ code: string; asset: Address }[]> {
  const rows = await tx.query<{ code: string; network: Network; tokenContract: string | null }>(
    sql`select code, network, nullif(token_contract, '') as "tokenContract" from currencies
         where code = any(${[...codes]}) order by position, id for share`,
  )
  if (rows.length !== new Set(codes).size) refuse('currency_unknown')
  return rows.map((row) => {
    const asset = row.network === network ? assetOf(row) : null
    if (asset === null || asset.toLowerCase() === sold.toLowerCase())
      return refuse('escrow_currency', { currency: row.code })
    return { code: row.code, asset }
  })
}

async function withdraw(unit: UnitOfWork, { number }: z.output<typeof byNumber>): Promise<number> {
  await readPlan(unit, number)
  const withdrawn = await unit.query(
    sql`update escrow_plans set state = 'withdrawn' where number = ${number} and state = 'announced' returning number`,
  )
  if (withdrawn.length === 0) refuse('escrow_state')
  await unit.audit('escrow.withdraw', { type: 'escrow', id: String(number) })
  return number
}

export async function lookAt(
  parts: Pick<EscrowParts, 'looks'>,
  tx: Queryable,
  plan: EscrowPlan,
  which: 'final' | 'latest',
): Promise<EscrowLook> {
  const quoteKey = (await readQuoteKey(tx)) ?? plan.quoteKey
  return escrowLook(plan, await parts.looks.look(plan, readsOfEscrow(plan), which), quoteKey)
}

const requireAnnounced = (plan: EscrowPlan) => (plan.state === 'announced' ? plan : refuse('escrow_state'))

/** In a final block. */
async function requireWhole(parts: EscrowParts, tx: Queryable, plan: EscrowPlan): Promise<EscrowLook> {
  const look = await lookAt(parts, tx, plan, 'final')
  if (look.fault) refuse(look.fault, { height: look.height })
  return look
}

async function enter(parts: EscrowParts, unit: UnitOfWork, { number, seen }: Entering): Promise<number> {
  const plan = requireAnnounced(await readPlan(unit, number))
  if (seen && (await parts.looks.hashAt(plan.network, seen.height)) !== seen.hash)
    refuse('distributor_reorganised')
  const look = await requireWhole(parts, unit, plan)
  const row = {
    address: placeOfEscrow(plan),
    code_hash: look.codeHash,
    height: look.height,
    block_hash: look.hash,
    mined_at: look.minedAt,
    second_node: look.secondNode,
  }
  const { refusal } = await unit.one<{ refusal: ErrorCode | null }>(
    sql`select put_escrow_in_force(${number}, jsonb_populate_record(null::escrows, ${JSON.stringify(row)}::jsonb),
               ${look.quoteKey && evmChecksum(look.quoteKey)}, ${unit.actor.operatorId}) as refusal`,
  )
  if (refusal) refuse(refusal)
  await unit.audit('escrow.enter', { type: 'escrow', id: String(number) }, { after: row })
  return number
}

async function showTerms(parts: EscrowParts, tx: Queryable, plan: NewEscrow): Promise<ApprovalDraft> {
  const found = await readTarget(parts, tx, plan.currencies)
  return {
    keep: { input: { ...plan, shown: shownOf(found) } },
    subject: { type: 'escrow', id: '' },
    summary: {
      network: found.network,
      contract: found.token,
      stage: String(plan.stageId),
      seller: plan.seller,
      treasury: plan.treasury,
      total: plan.capTokens,
      closesAt: plan.closesAt,
      deliverBy: plan.deliverBy,
      reviewSeconds: String(plan.reviewSeconds),
      locksFirst: String(plan.locksFirst),
      startPercent: percentOfBps(plan.startBps),
      cliffSeconds: String(plan.cliffSeconds),
      linearSeconds: String(plan.linearSeconds),
      currency: found.accepted.map(({ code, asset }) => `${code} ${asset}`).join(', '),
    },
  }
}

async function showLook(parts: EscrowParts, tx: Queryable, { number }: Entering): Promise<ApprovalDraft> {
  const plan = requireAnnounced(await readPlan(tx, number))
  const { height, hash, codeHash } = await requireWhole(parts, tx, plan)
  return {
    subject: { type: 'escrow', id: String(number) },
    summary: {
      network: plan.network,
      contract: plan.token,
      address: placeOfEscrow(plan),
      total: plan.capTokens,
      seller: plan.seller,
      treasury: plan.treasury,
      closesAt: plan.closesAt.toISOString(),
      deliverBy: plan.deliverBy.toISOString(),
      // Shows the contracts: a currency may be renamed.
      currency: `${plan.currencies.join(', ')}: ${plan.assets.join(', ')}`,
      block: `${height} ${hash}`,
      codeHash,
    },
    keep: { input: { number, seen: { height, hash } } },
  }
}
