import type { Address } from 'viem'
import { z } from 'zod'
import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import type { RoundDistributor } from '../../shared/api/rounds.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import type { Terms } from '../../shared/round-list.ts'
import { tokensOf } from '../../shared/token-units.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import type { AddressParts } from './address-rows.ts'
import { fundingOf, type Making, makingOf, readsOfFactories } from './distributor.ts'
import { lookAt, type Published, readPublished, type Seen } from './published.ts'

/** `seen`: the block shown to the second operator; it must still be on chain at confirmation. */
const goingLive = z.object({
  number: z.number().int(),
  address: z.string(),
  seen: z.object({ height: z.number().int(), hash: z.string() }).optional(),
})
type GoingLive = z.output<typeof goingLive>

export const liveActions = (parts: AddressParts) => ({
  /** Stores a final block as evidence. */
  'round.go-live': defineAction({
    name: 'round.go-live',
    input: goingLive,
    needsApproval: (tx, input) => showLook(parts, tx, input),
    execute: (unit, input) => goLive(parts, unit, input),
  }),
})

const requireFrozen = (published: Published) =>
  published.state === 'frozen' ? published : refuse('round_state')

function checkedAddress({ network }: Published, given: string): Address {
  const problem = checkAddress(network, given)
  if (problem) refuse('address_invalid', { problem, network })
  return evmChecksum(given.trim()) as Address
}

type Shown = Omit<RoundDistributor, 'latest' | 'final'> &
  Record<'latest' | 'final', ReturnType<typeof shownLook>>

/** The distributor's state on chain, and the calls still to sign. */
export async function readDistributor(parts: AddressParts, number: number, given?: string): Promise<Shown> {
  const published = requireFrozen(await readPublished(parts.db, number))
  const { terms, network, chainId } = published
  const making = makingOf(
    terms,
    published.sha256,
    await parts.looks.look(published, readsOfFactories(terms), 'latest'),
  )
  const address = given ? checkedAddress(published, given) : making.address
  const latest = await lookAt(parts, published, address, 'latest')
  const final = await lookAt(parts, published, address, 'final')
  return {
    network,
    chainId,
    address,
    expected: making.address,
    isFactoryToken: making.isFactoryToken,
    lacksDeployer: making.calls === null,
    calls: callsLeft(terms, address, making, latest),
    latest: shownLook(latest),
    final: shownLook(final),
  }
}

function callsLeft(
  terms: Terms,
  address: Address,
  making: Making,
  { fault }: Seen,
): RoundDistributor['calls'] {
  const funding = fundingOf(terms, address)
  if (fault === 'distributor_not_funded') return [...funding]
  const isToBeMade = fault === 'distributor_missing' && address === making.address && making.calls !== null
  return isToBeMade ? [...(making.calls ?? []), ...funding] : []
}

const shownLook = ({ height, hash, minedAt, fault, balance }: Seen) => ({
  height,
  hash,
  minedAt: minedAt.toISOString(),
  fault,
  balance: tokensOf(balance),
})

/** In a final block. */
async function requireWhole(parts: AddressParts, published: Published, address: Address): Promise<Seen> {
  const seen = await lookAt(parts, published, address, 'final')
  const short = published.terms.total - seen.balance - seen.claimed
  if (seen.fault) refuse(seen.fault, { height: seen.height, short: tokensOf(short) })
  return seen
}

// Rules: DELIVER-31
async function goLive(parts: AddressParts, unit: UnitOfWork, input: GoingLive): Promise<number> {
  const published = requireFrozen(await readPublished(unit, input.number))
  const { number, network, chainId } = published
  const address = checkedAddress(published, input.address)
  if (input.seen && (await parts.looks.hashAt(network, input.seen.height)) !== input.seen.hash)
    refuse('distributor_reorganised')
  const seen = await requireWhole(parts, published, address)
  const row = {
    address,
    chain_id: chainId,
    code_hash: seen.codeHash,
    height: seen.height,
    block_hash: seen.hash,
    mined_at: seen.minedAt,
    balance: String(seen.balance),
    claimed: String(seen.claimed),
    second_node: seen.secondNode,
  }
  const { refusal } = await unit.one<{ refusal: ErrorCode | null }>(
    sql`select go_live(${number}, jsonb_populate_record(null::delivery_distributors, ${JSON.stringify(row)}::jsonb),
                       ${unit.actor.operatorId}) as refusal`,
  )
  if (refusal) refuse(refusal)
  await unit.audit('round.go-live', { type: 'delivery-round', id: String(number) }, { after: row })
  return number
}

// Rules: DELIVER-32
async function showLook(parts: AddressParts, tx: Queryable, input: GoingLive): Promise<ApprovalDraft> {
  const published = requireFrozen(await readPublished(tx, input.number))
  const { number, network, terms } = published
  const address = checkedAddress(published, input.address)
  const { height, hash, codeHash } = await requireWhole(parts, published, address)
  return {
    subject: { type: 'delivery-round', id: String(number) },
    summary: {
      round: String(number),
      network,
      contract: terms.token,
      address,
      total: tokensOf(terms.total),
      root: terms.root,
      block: `${height} ${hash}`,
      codeHash,
    },
    keep: { input: { number, address, seen: { height, hash } } },
  }
}
