import type { Address, Hex } from 'viem'
import { checkAddress, evmChecksum } from '../../shared/addresses.ts'
import type { EscrowOrder } from '../../shared/api/delivery-escrows.ts'
import { refundToData } from '../../shared/escrow-state.ts'
import type { ClaimLookup, RefundTo } from '../../shared/public-pages.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { Refusal } from '../refusal.ts'

export type ClaimSource = Pick<
  Delivery,
  'claimsOfAddress' | 'escrowOrdersOfAddress' | 'escrows' | 'hasClaims'
>

/** `to`: the refund target of one of the address's orders. */
interface Given {
  readonly address: string | undefined
  readonly order?: string | undefined
  readonly to?: string | undefined
}

// Rules: DELIVER-19, DELIVER-35
/**
 * For anybody: lists and events are public. `take` limits reads of a node. An invalid input is not echoed,
 * because it may be a private key.
 */
export async function readClaimLookup(
  delivery: ClaimSource,
  given: Given,
  take: () => void,
): Promise<ClaimLookup> {
  const hasLive = await delivery.hasClaims()
  const escrows = hasLive ? await delivery.escrows() : []
  const nothing = { hasLive, address: null, problem: null, claims: [], orders: [], refundTo: null, escrows }
  if (given.address === undefined || !hasLive) return nothing
  // All delivery networks have addresses of this form.
  const problem = checkAddress('ethereum', given.address)
  if (problem) return { ...nothing, problem: problem === 'private_key' ? problem : 'not_address' }
  const address = evmChecksum(given.address)
  try {
    take()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...nothing, address, problem: 'too_many' }
  }
  const [claims, orders] = await Promise.all([
    delivery.claimsOfAddress(address),
    delivery.escrowOrdersOfAddress(address),
  ])
  return { ...nothing, address, claims, orders, refundTo: refundToOf(orders, given) }
}

const ZERO = `0x${'0'.repeat(40)}`

/** The payer's call; the contract rejects itself and the zero address as target. */
function refundToOf(orders: readonly EscrowOrder[], given: Given): RefundTo | null {
  const order = orders.find(({ orderId, call }) => orderId === given.order && call?.what === 'refund')
  if (!order || given.to === undefined) return null
  const isUsable =
    checkAddress('ethereum', given.to) === null &&
    ![ZERO, order.escrow.toLowerCase()].includes(given.to.toLowerCase())
  const to = isUsable ? evmChecksum(given.to) : null
  return {
    orderId: order.orderId,
    to,
    data: to && refundToData(order.orderId as Hex, to as Address),
  }
}
