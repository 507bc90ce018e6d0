import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { saleEscrowAbi, saleTokenAbi } from '../../contracts/artifacts/abi.ts'
import type { StateRead } from './state-read.ts'

/** As contracts/src/ISaleEscrow.sol counts them. */
export const escrowStates = ['open', 'closed', 'delivered', 'refunding'] as const
export type EscrowPhase = (typeof escrowStates)[number]
/** As contracts/src/ISaleEscrow.sol counts them. */
export const escrowOrderStates = ['none', 'paid', 'cancelled', 'refunded'] as const
export type EscrowOrderState = (typeof escrowOrderStates)[number]

/** Which escrow, and what it deals in. */
export interface EscrowNamed {
  readonly address: Address
  readonly token: Address
  /** In the contract's order. */
  readonly assets: readonly Address[]
}

/** What one block shows of an escrow. Amounts are in smallest units, moments in seconds. */
export interface EscrowLook {
  readonly state: EscrowPhase
  readonly locked: boolean
  readonly owed: bigint
  readonly claimed: bigint
  readonly closeAt: number
  /** 0: not yet. */
  readonly deliveredAt: number
  /** Tokens that lie there. */
  readonly balance: bigint
  /** Money of live orders that lies there, by asset. */
  readonly raised: readonly bigint[]
}

const FIGURES = ['state', 'locked', 'owed', 'claimed', 'closeAt', 'deliveredAt'] as const

/** What is read of the chain at an escrow: its code first. */
export function readsOfEscrow({ address, token, assets }: EscrowNamed): readonly StateRead[] {
  const balance = encodeFunctionData({ abi: saleTokenAbi, functionName: 'balanceOf', args: [address] })
  return [
    { code: address },
    ...FIGURES.map((functionName) => ({
      to: address,
      data: encodeFunctionData({ abi: saleEscrowAbi, functionName }),
    })),
    { to: token, data: balance },
    ...assets.map((asset) => ({
      to: address,
      data: encodeFunctionData({ abi: saleEscrowAbi, functionName: 'raised', args: [asset] }),
    })),
  ]
}

/** What the answers after the code say; null where the node left one out. */
export function escrowLook(answers: readonly (Hex | null | undefined)[]): EscrowLook | null {
  const figures = answers.map((answer) => wordsIn(answer)?.[0])
  const [state, locked, owed, claimed, closeAt, deliveredAt, balance, ...raised] = figures.map(
    (figure) => figure ?? 0n,
  )
  const phase = escrowStates[Number(state)]
  if (figures.some((figure) => figure === undefined) || phase === undefined) return null
  return {
    state: phase,
    locked: locked === 1n,
    owed: owed ?? 0n,
    claimed: claimed ?? 0n,
    closeAt: Number(closeAt),
    deliveredAt: Number(deliveredAt),
    balance: balance ?? 0n,
    raised,
  }
}

/** What one block shows of an order. Amounts are in smallest units. */
export interface EscrowOrderLook {
  readonly payer: Address
  readonly beneficiary: Address
  readonly amount: bigint
  /** Place in the escrow's assets, counted from 1. */
  readonly asset: number
  readonly tokens: bigint
  readonly state: EscrowOrderState
  readonly claimed: bigint
  /** What a claim would send. */
  readonly due: bigint
}

/** What is read of an order. */
export const readsOfOrder = (address: Address, orderId: Hex): readonly StateRead[] =>
  (['order', 'claimedOf', 'claimable'] as const).map((functionName) => ({
    to: address,
    data: encodeFunctionData({ abi: saleEscrowAbi, functionName, args: [orderId] }),
  }))

/** What the answers to `readsOfOrder` say; null where the node left one out. */
export function escrowOrderLook(answers: readonly (Hex | null | undefined)[]): EscrowOrderLook | null {
  const [order, [claimed] = [], [due] = []] = answers.map(wordsIn)
  if (order?.length !== 6 || claimed === undefined || due === undefined) return null
  const [payer = 0n, amount = 0n, asset = 0n, beneficiary = 0n, tokens = 0n, state = 0n] = order
  return {
    payer: addressIn(payer),
    beneficiary: addressIn(beneficiary),
    amount,
    asset: Number(asset),
    tokens,
    state: escrowOrderStates[Number(state)] ?? 'none',
    claimed,
    due,
  }
}

/** The 32-byte words of an answer; undefined where there is none. */
export function wordsIn(answer: Hex | null | undefined): bigint[] | undefined {
  if (!answer || answer.length < 66 || (answer.length - 2) % 64 !== 0) return undefined
  return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** An address as a word holds it, in lower case. */
export const addressIn = (word: bigint): Address => `0x${word.toString(16).padStart(40, '0')}`

/** What can be called of an order: tokens to its beneficiary, or its money back to its payer. */
export type OrderCall = 'claim' | 'refund'

// Rules: DELIVER-19
/** Which of the two its escrow would do now; null: neither. */
export function callOfOrder(
  round: EscrowPhase,
  order: Pick<EscrowOrderLook, 'state' | 'due'>,
): OrderCall | null {
  if (order.state === 'cancelled' || (order.state === 'paid' && round === 'refunding')) return 'refund'
  return order.state === 'paid' && round === 'delivered' && order.due > 0n ? 'claim' : null
}

/** The data of a call that anybody may send. */
export const orderCallData = (functionName: OrderCall, orderId: Hex): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName, args: [orderId] })

/** The data of the call by which a payer, and nobody else, sends the money to another address. */
export const refundToData = (orderId: Hex, to: Address): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName: 'refundTo', args: [orderId, to] })

/** The data of the call that delivers a round which owes at most so many tokens. */
export const deliverData = (tokensMax: bigint): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName: 'deliver', args: [tokensMax] })
