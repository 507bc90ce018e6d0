import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { saleTokenAbi } from '../../../contracts/artifacts/abi.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import type { DeliveryEscrow } from '../../shared/api/delivery-escrows.ts'
import { deliverData } from '../../shared/escrow-state.ts'
import type { Name } from '../../shared/languages.ts'
import type { Network } from '../../shared/networks.ts'
import { tokensOf } from '../../shared/token-units.ts'
import { type Queryable, sql } from '../database/database.ts'

interface EscrowRow {
  id: number
  stage: Name
  chain: Network
  chain_id: string
  address: Address
  token: string
  treasury: string
  cap_tokens: string
  closes_at: Date
  deliver_by: Date
  anyone_from: Date
  now: Date
  looked_at: Date | null
  height: string
  block_hash: string
  mined_at: Date
  state: NonNullable<DeliveryEscrow['look']>['state']
  locked: boolean
  delivered_at: Date | null
  owed: string
  promised: string
  claimed: string
  balance: string
  fault: NonNullable<DeliveryEscrow['look']>['fault']
  failure: string | null
  failing_since: Date | null
  money: NonNullable<DeliveryEscrow['look']>['money']
  orders: NonNullable<DeliveryEscrow['look']>['orders']
}

// Rules: DELIVER-19
/** Active ones, newest first. */
export async function readEscrows(db: Queryable): Promise<DeliveryEscrow[]> {
  const rows = await db.query<EscrowRow>(
    sql`select e.id, coalesce(s.names, to_jsonb(s.name)) as stage, e.chain, e.chain_id::text, e.address, e.token, e.treasury, trim_scale(e.cap_tokens)::text as cap_tokens,
               c.closes_at, e.deliver_by, c.closes_at + e.review_seconds * interval '1 second' as anyone_from, clock_timestamp() as now,
               l.looked_at, l.height::text, l.block_hash, l.mined_at, l.state, l.locked, l.delivered_at, l.owed::text, l.promised::text,
               l.claimed::text, l.balance::text, l.fault, l.failure, l.failing_since, case when l.escrow_id is not null then money_in_escrow(e.id) end as money,
               case when l.escrow_id is not null then orders_of_escrow(e.id) end as orders
          from escrows e join stages s on s.id = e.stage_id left join escrow_looks l on l.escrow_id = e.id
         cross join lateral (select coalesce(l.closes_at, e.closes_at) as closes_at) c
         order by e.id desc`,
  )
  return rows.map((row) => ({
    stage: row.stage,
    network: row.chain,
    chainId: Number(row.chain_id),
    address: evmChecksum(row.address),
    token: evmChecksum(row.token),
    treasury: evmChecksum(row.treasury),
    capTokens: row.cap_tokens,
    closesAt: row.closes_at.toISOString(),
    deliverBy: row.deliver_by.toISOString(),
    anyoneFrom: row.anyone_from.toISOString(),
    look: row.looked_at && shownLook(row, row.looked_at),
    deliver: isDeliverable(row)
      ? { to: evmChecksum(row.address), value: '0', data: deliverData(BigInt(row.promised)) }
      : null,
    sellerDelivers: callsOfSeller(row),
  }))
}

export async function hasEscrows(db: Queryable): Promise<boolean> {
  const { any } = await db.one<{ any: boolean }>(sql`select exists (select from escrows) as any`)
  return any
}

/**
 * Anybody may deliver between review and deadline, with all tokens present and no unknown orders: delivery
 * counts only orders the ledger knows, so an unseen order blocks it.
 */
function isDeliverable({
  looked_at: lookedAt,
  state,
  fault,
  locked,
  anyone_from: from,
  deliver_by: by,
  now,
}: EscrowRow) {
  return lookedAt !== null && state === 'closed' && fault === null && locked && from <= now && now <= by
}

/** The seller may deliver once the escrow is closed, and adds missing tokens. */
function callsOfSeller(row: EscrowRow): DeliveryEscrow['sellerDelivers'] {
  const { looked_at: lookedAt, state, fault, deliver_by: by, now } = row
  if (lookedAt === null || state !== 'closed' || fault !== null || now > by) return []
  const [to, token] = [evmChecksum(row.address), evmChecksum(row.token)]
  const promised = BigInt(row.promised)
  const lacking = promised - BigInt(row.balance)
  const allow = encodeFunctionData({
    abi: saleTokenAbi,
    functionName: 'approve',
    args: [to as Address, lacking > 0n ? lacking : 0n],
  })
  return [
    ...(lacking > 0n ? [{ what: 'approve' as const, to: token, value: '0' as const, data: allow }] : []),
    { what: 'deliver', to, value: '0', data: deliverData(promised) },
  ]
}

function shownLook(row: EscrowRow, lookedAt: Date): NonNullable<DeliveryEscrow['look']> {
  const [owed, claimed, balance] = [row.owed, row.claimed, row.balance].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  const kept = row.state === 'refunding' ? 0n : owed - claimed
  return {
    height: Number(row.height),
    blockHash: row.block_hash,
    minedAt: row.mined_at.toISOString(),
    lookedAt: lookedAt.toISOString(),
    state: row.state,
    locked: row.locked,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    owed: tokensOf(owed),
    promised: tokensOf(BigInt(row.promised)),
    claimed: tokensOf(claimed),
    held: tokensOf(balance),
    leftover: tokensOf(balance > kept ? balance - kept : 0n),
    money: row.money,
    orders: row.orders,
    fault: row.fault,
    failure: row.failure,
    failingSince: row.failing_since?.toISOString() ?? null,
  }
}
