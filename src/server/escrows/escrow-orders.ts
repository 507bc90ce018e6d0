import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { saleEscrowAbi, saleTokenAbi } from '../../../contracts/artifacts/abi.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import type { EscrowOrder, OrderCall, SignedQuote } from '../../shared/api/escrows.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { type EscrowPromise, readPlace } from '../../shared/escrow-places.ts'
import type { Network } from '../../shared/networks.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { NATIVE } from './escrow-plans.ts'
import type { EscrowParts } from './escrows.ts'
import {
  type Permit,
  permitOf,
  permitText,
  readsOfPermit,
  type SignedPermit,
  signedPermit,
} from './permits.ts'
import { openQuoteKey } from './quote-keys.ts'

/** Ordered as in contracts/src/ISaleEscrow.sol. */
const ROUND_STATES = ['open', 'closed', 'delivered', 'refunding'] as const
const ORDER_STATES = ['none', 'paid', 'cancelled', 'refunded'] as const

const QUOTE_TYPE = {
  Quote: [
    { name: 'orderId', type: 'bytes32' },
    { name: 'payer', type: 'address' },
    { name: 'beneficiary', type: 'address' },
    { name: 'asset', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'tokens', type: 'uint256' },
    { name: 'validUntil', type: 'uint256' },
  ],
} as const

interface PlacedRow {
  place: string
  network: Network
  chain_id: string
  contract: Address
  seller: string
  locks_first: boolean
}

/** By the buyer's `token` or by `id`. */
async function readPlaced(
  tx: Queryable,
  { userId = null, token = null, id = null }: Partial<Record<'userId' | 'token' | 'id', string | null>>,
) {
  const row = await tx.maybeOne<PlacedRow | { place: null }>(
    sql`select o.place, e.chain as network, e.chain_id, e.address as contract, e.seller, e.locks_first
          from orders o left join escrows e on e.id = o.escrow_id
         where (o.user_id = ${userId}::bigint and o.token = ${token}) or o.id = ${id}::bigint`,
  )
  if (!row) return refuse('order_unknown')
  if (!('network' in row) || row.network === null) return refuse('order_not_escrowed')
  return { ...row, chainId: Number(row.chain_id), promise: promiseOf(row.place) }
}
type Placed = Awaited<ReturnType<typeof readPlaced>>

function promiseOf(place: string) {
  const { orderId, payer, beneficiary, asset, amount, tokens } = readPlace(place)
  const checked = (address: string) => evmChecksum(address) as Address
  return {
    orderId: orderId as Hex,
    payer: checked(payer),
    beneficiary: checked(beneficiary),
    asset: checked(asset),
    amount,
    tokens,
  } satisfies EscrowPromise
}

/** In the newest block. */
async function lookAtOrder({ looks }: EscrowParts, placed: Placed) {
  const { contract, promise } = placed
  const ask = (functionName: 'state' | 'locked' | 'quoteKey') => ({
    to: contract,
    data: encodeFunctionData({ abi: saleEscrowAbi, functionName }),
  })
  const order = encodeFunctionData({ abi: saleEscrowAbi, functionName: 'order', args: [promise.orderId] })
  const allowance = encodeFunctionData({
    abi: saleTokenAbi,
    functionName: 'allowance',
    args: [promise.payer, contract],
  })
  const reads = [ask('state'), ask('locked'), ask('quoteKey'), { to: contract, data: order }]
  const coin = promise.asset === NATIVE ? [] : [{ to: promise.asset, data: allowance }]
  const { answers, height } = await looks.look(placed, [...reads, ...coin], 'latest')
  const [state, locked, key, said, allowed] = answers
  const word = (answer: Hex | null | undefined) =>
    answer?.length === 66 ? BigInt(answer) : refuse('node_silent')
  const paid = decodeFunctionResult({
    abi: saleEscrowAbi,
    functionName: 'order',
    data: said ?? refuse('node_silent'),
  })
  return {
    height,
    round: ROUND_STATES[Number(word(state))] ?? refuse('node_silent'),
    order: ORDER_STATES[paid.state] ?? refuse('node_silent'),
    isLocked: word(locked) === 1n,
    quoteKey: `0x${word(key).toString(16).padStart(40, '0')}`,
    allowed: promise.asset === NATIVE ? 0n : word(allowed),
  }
}

export async function showEscrowOrder(
  parts: EscrowParts,
  userId: string,
  token: string,
): Promise<EscrowOrder> {
  const placed = await readPlaced(parts.db, { userId, token })
  const { round, order, height } = await lookAtOrder(parts, placed)
  return { round, order, height }
}

// Rules: DELIVER-24
/**
 * For the order's payer and amounts, for ten minutes; repeats return the same signature until then. With the
 * payer's permit the payment needs no approval transaction.
 */
export async function signQuote(
  parts: EscrowParts,
  userId: string,
  token: string,
  permitSignature?: string,
): Promise<SignedQuote> {
  const { db, secrets } = parts
  const placed = await readPlaced(db, { userId, token })
  const look = await lookAtOrder(parts, placed)
  // Prevents a second payment if the watcher missed the first.
  if (look.order !== 'none') refuse('order_state')
  if (look.round !== 'open') refuse('escrow_not_open')
  if (placed.locks_first && !look.isLocked) refuse('escrow_not_locked')
  // A replaced key signs no more, even if the contract accepts it.
  const key = await openQuoteKey(db, secrets)
  if (key?.address.toLowerCase() !== look.quoteKey) return refuse('escrow_other_key')
  const { promise, contract, chainId } = placed
  const lacksLeave = promise.asset !== NATIVE && look.allowed < promise.amount
  const permit = lacksLeave ? await readPermit(parts, placed) : null
  const signed = await db.one<{ refusal: ErrorCode | null; place: string; valid_until: string }>(
    sql`select refusal, place, valid_until from sign_escrow_quote(${userId}, ${token})`,
  )
  if (signed.refusal) refuse(signed.refusal)
  const deadline = BigInt(signed.valid_until)
  const isPermitted = lacksLeave && permitSignature !== undefined
  const leave = isPermitted ? await openPermit(permit, deadline, permitSignature) : undefined
  const pay = await signPayment(key, placed, signed.place, deadline, leave)
  return {
    chainId,
    payer: promise.payer,
    validUntil: new Date(Number(deadline) * 1000).toISOString(),
    calls: [...(lacksLeave && !leave ? approvals(promise, contract, look.allowed) : []), pay],
    permit: permit && !leave ? permitText(permit, deadline) : null,
  }
}

/** Null if the token has no permits. */
async function readPermit({ looks }: EscrowParts, placed: Placed): Promise<Permit | null> {
  const { contract, chainId, promise } = placed
  const terms = { ...promise, contract, chainId }
  return permitOf(terms, (await looks.look(placed, readsOfPermit(terms), 'latest')).answers)
}

async function openPermit(permit: Permit | null, deadline: bigint, signature: string): Promise<SignedPermit> {
  const opened = permit && (await signedPermit(permit, deadline, signature))
  return opened ?? refuse('permit_wrong')
}

export async function signPayment(
  key: PrivateKeyAccount,
  { contract, chainId }: Pick<Placed, 'contract' | 'chainId'>,
  place: string,
  validUntil: bigint,
  permit?: SignedPermit,
): Promise<OrderCall> {
  const quote = { ...promiseOf(place), validUntil }
  const signature = await key.signTypedData({
    domain: { name: 'SaleEscrow', version: '1', chainId, verifyingContract: contract },
    types: QUOTE_TYPE,
    primaryType: 'Quote',
    message: quote,
  })
  const data = permit
    ? encodeFunctionData({
        abi: saleEscrowAbi,
        functionName: 'payWithPermit',
        args: [quote, signature, permit],
      })
    : encodeFunctionData({ abi: saleEscrowAbi, functionName: 'pay', args: [quote, signature] })
  return { what: 'pay', to: contract, value: quote.asset === NATIVE ? String(quote.amount) : '0', data }
}

/** For exactly this amount. USDT accepts a new approval only after a reset to 0. */
function approvals(
  { asset, amount }: EscrowPromise & { asset: Address },
  contract: Address,
  allowed: bigint,
): OrderCall[] {
  const leave = (what: 'approve-none' | 'approve', units: bigint): OrderCall => ({
    what,
    to: asset,
    value: '0',
    data: encodeFunctionData({ abi: saleTokenAbi, functionName: 'approve', args: [contract, units] }),
  })
  return allowed === 0n ? [leave('approve', amount)] : [leave('approve-none', 0n), leave('approve', amount)]
}

// Rules: DELIVER-28
export async function showCancelling(parts: EscrowParts, orderId: string) {
  const placed = await readPlaced(parts.db, { id: orderId })
  const { round, order, height } = await lookAtOrder(parts, placed)
  const { contract, promise, chainId, network, seller } = placed
  const data = encodeFunctionData({
    abi: saleEscrowAbi,
    functionName: 'cancelOrder',
    args: [promise.orderId],
  })
  const isCancellable = order === 'paid' && (round === 'open' || round === 'closed')
  const call = { what: 'cancel-order', to: contract, value: '0', data } as const
  return {
    round,
    order,
    height,
    network,
    chainId,
    contract,
    seller,
    payer: promise.payer,
    call: isCancellable ? call : null,
  }
}
