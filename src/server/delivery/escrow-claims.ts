import type { Address, Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import { evmChecksum } from '../../shared/addresses.ts'
import type { EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import {
  callOfOrder,
  type EscrowLook,
  type EscrowOrderLook,
  escrowLook,
  escrowOrderLook,
  orderCallData,
  readsOfEscrow,
  readsOfOrder,
} from '../../shared/escrow-state.ts'
import type { Name } from '../../shared/languages.ts'
import type { Network } from '../../shared/networks.ts'
import { tokensOf } from '../../shared/token-units.ts'
import { fragment, sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'

type ReadFrom = Pick<AddressParts, 'db' | 'looks'>

interface PlaceRow {
  place: string
  escrow_id: number
  stage: Name
  chain: Network
  chain_id: string
  address: Address
  token: Address
  assets: Address[]
  code_hash: Hex
  deliver_by: Date
  start_bps: number
  cliff_seconds: number
  linear_seconds: number
  currency: string
  paid: string
  tokens: string
}

const ORDERS_MAX = 200

/** Orders with a payment in an existing block, whatever happened to them later. */
const paidPlaces = fragment`select a.address as place, e.id as escrow_id, coalesce(s.names, to_jsonb(s.name)) as stage, e.chain, e.chain_id::text, e.address, e.token, e.assets,
       e.code_hash, e.deliver_by, e.start_bps, e.cliff_seconds, e.linear_seconds, k.code as currency, trim_scale(p.amount)::text as paid,
       trim_scale(nullif(split_part(a.address, ':', 8), '')::numeric / 1e18)::text as tokens
  from wallet_addresses a join escrows e on e.id = a.escrow_id join stages s on s.id = e.stage_id join currencies k on k.id = a.currency_id
  join payments p on p.address = a.address and p.block_height is not null
       and not (p.failed or p.replaced_by is not null or p.orphaned_at is not null)`

// Rules: DELIVER-20
export async function readEscrowOrders(parts: ReadFrom, userId: string): Promise<EscrowOrder[]> {
  return shownOrders(
    parts,
    await parts.db.query<PlaceRow>(
      sql`${paidPlaces} where a.address in (select o.place from orders o where o.user_id = ${userId} and o.escrow_id is not null)
           order by p.id desc limit ${ORDERS_MAX}`,
    ),
  )
}

// Rules: DELIVER-19
/** Orders that an address paid for or gets tokens from, as the contract's events publish. */
export async function readEscrowOrdersOfAddress(parts: ReadFrom, address: string): Promise<EscrowOrder[]> {
  const own = address.toLowerCase()
  return shownOrders(
    parts,
    await parts.db.query<PlaceRow>(
      sql`${paidPlaces} where a.escrow_id is not null and (split_part(a.address, ':', 4) = ${own} or split_part(a.address, ':', 5) = ${own})
           order by p.id desc limit ${ORDERS_MAX}`,
    ),
  )
}

async function shownOrders(parts: ReadFrom, rows: readonly PlaceRow[]): Promise<EscrowOrder[]> {
  const byEscrow = Map.groupBy(rows, ({ escrow_id: id }) => id)
  const shown = await Promise.all(
    [...byEscrow.values()].map(async (own) => {
      const looks = await looksAt(parts, own)
      return own.map((row, at) => escrowOrder(row, looks?.[at] ?? null))
    }),
  )
  return shown.flat()
}

interface OrderShown {
  readonly height: number
  readonly minedAt: Date
  readonly round: EscrowLook
  readonly order: EscrowOrderLook
  readonly final: EscrowOrderLook
}

const orderIdOf = ({ place }: PlaceRow) => place.split(':')[2] as Hex

/** In the newest block and the newest final one; null while no node answers. */
async function looksAt({ looks }: ReadFrom, rows: readonly PlaceRow[]): Promise<OrderShown[] | null> {
  const [escrow] = rows
  if (!escrow) return null
  const chain = { network: escrow.chain, chainId: Number(escrow.chain_id) }
  const ofRound = readsOfEscrow(escrow)
  const reads = [...ofRound, ...rows.flatMap((row) => readsOfOrder(escrow.address, orderIdOf(row)))]
  const read = async (which: 'latest' | 'final') => {
    const { answers, ...block } = await looks.look(chain, reads, which)
    const [code, ...figures] = answers.slice(0, ofRound.length)
    // The contract's code may not be the activated one.
    if (which === 'latest' && (!code || keccak256(code) !== escrow.code_hash)) return refuse('node_silent')
    const orders = rows.map((_row, at) => {
      const from = ofRound.length + 3 * at
      return escrowOrderLook(answers.slice(from, from + 3))
    })
    return { ...block, round: escrowLook(figures), orders }
  }
  try {
    const [latest, final] = [await read('latest'), await read('final')]
    return rows.map((_row, at) => ({
      height: latest.height,
      minedAt: latest.minedAt,
      round: latest.round ?? refuse('node_silent'),
      order: latest.orders[at] ?? refuse('node_silent'),
      // The escrow is in no final block yet.
      final: final.orders[at] ?? NOTHING,
    }))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const ZERO: Address = `0x${'0'.repeat(40)}`
const NOTHING: EscrowOrderLook = {
  payer: ZERO,
  beneficiary: ZERO,
  amount: 0n,
  asset: 0,
  tokens: 0n,
  state: 'none',
  claimed: 0n,
  due: 0n,
}

function escrowOrder(row: PlaceRow, look: OrderShown | null): EscrowOrder {
  const [, , , payer = '', beneficiary = ''] = row.place.split(':')
  const orderId = orderIdOf(row)
  const what = look && callOfOrder(look.round.state, look.order)
  return {
    stage: row.stage,
    network: row.chain,
    chainId: Number(row.chain_id),
    escrow: evmChecksum(row.address),
    token: evmChecksum(row.token),
    orderId,
    payer: evmChecksum(payer),
    beneficiary: evmChecksum(beneficiary),
    currency: row.currency,
    paid: row.paid,
    tokens: row.tokens,
    deliverBy: row.deliver_by.toISOString(),
    startBps: row.start_bps,
    cliffSeconds: row.cliff_seconds,
    linearSeconds: row.linear_seconds,
    chain: look && shownOfChain(look),
    call: what && { what, to: evmChecksum(row.address), value: '0', data: orderCallData(what, orderId) },
  }
}

function shownOfChain({
  height,
  minedAt,
  round,
  order,
  final,
}: OrderShown): NonNullable<EscrowOrder['chain']> {
  return {
    height,
    minedAt: minedAt.toISOString(),
    round: round.state,
    order: order.state,
    orderInFinal: final.state,
    deliveredAt: round.deliveredAt === 0 ? null : new Date(round.deliveredAt * 1000).toISOString(),
    unlocked: tokensOf(order.claimed + order.due),
    claimed: tokensOf(final.claimed),
    claimedNow: tokensOf(order.claimed),
    due: tokensOf(order.due),
  }
}
