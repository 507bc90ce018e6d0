import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { saleEscrowAbi, saleTokenAbi } from '../../contracts/artifacts/abi.ts'
import type { StateRead } from './state-read.ts'

/** States in the order of contracts/src/ISaleEscrow.sol. */
export const escrowStates = ['open', 'closed', 'delivered', 'refunding'] as const
export type EscrowPhase = (typeof escrowStates)[number]
/** States in the order of contracts/src/ISaleEscrow.sol. */
export const escrowOrderStates = ['none', 'paid', 'cancelled', 'refunded'] as const
export type EscrowOrderState = (typeof escrowOrderStates)[number]

export interface EscrowNamed {
  readonly address: Address
  readonly token: Address
  /** In the contract's order. */
  readonly assets: readonly Address[]
}

/** The state in one block. Amounts in smallest units, times in seconds. */
export interface EscrowLook {
  readonly state: EscrowPhase
  readonly locked: boolean
  readonly owed: bigint
  readonly claimed: bigint
  readonly closeAt: number
  /** 0: not yet. */
  readonly deliveredAt: number
  readonly balance: bigint
  /** Money of live orders, by asset. */
  readonly raised: readonly bigint[]
}

const FIGURES = ['state', 'locked', 'owed', 'claimed', 'closeAt', 'deliveredAt'] as const

/** The code comes first. */
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

/** Null if the node left one out. */
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

/** The state in one block, in smallest units. */
export interface EscrowOrderLook {
  readonly payer: Address
  readonly beneficiary: Address
  readonly amount: bigint
  /** 1-based index in the escrow's assets. */
  readonly asset: number
  readonly tokens: bigint
  readonly state: EscrowOrderState
  readonly claimed: bigint
  readonly due: bigint
}

export const readsOfOrder = (address: Address, orderId: Hex): readonly StateRead[] =>
  (['order', 'claimedOf', 'claimable'] as const).map((functionName) => ({
    to: address,
    data: encodeFunctionData({ abi: saleEscrowAbi, functionName, args: [orderId] }),
  }))

/** Null if the node left one out. */
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

/** 32 bytes each; undefined if the answer is missing or malformed. */
export function wordsIn(answer: Hex | null | undefined): bigint[] | undefined {
  if (!answer || answer.length < 66 || (answer.length - 2) % 64 !== 0) return undefined
  return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** In lower case. */
export const addressIn = (word: bigint): Address => `0x${word.toString(16).padStart(40, '0')}`

/** Calls that send tokens to the beneficiary, or money to the payer. */
export type OrderCall = 'claim' | 'refund'

// Rules: DELIVER-19
/** Null: neither. */
export function callOfOrder(
  round: EscrowPhase,
  order: Pick<EscrowOrderLook, 'state' | 'due'>,
): OrderCall | null {
  if (order.state === 'cancelled' || (order.state === 'paid' && round === 'refunding')) return 'refund'
  return order.state === 'paid' && round === 'delivered' && order.due > 0n ? 'claim' : null
}

export const orderCallData = (functionName: OrderCall, orderId: Hex): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName, args: [orderId] })

/** Call data that only the payer can send. */
export const refundToData = (orderId: Hex, to: Address): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName: 'refundTo', args: [orderId, to] })

/** Call data for a round that owes at most `tokensMax`. */
export const deliverData = (tokensMax: bigint): Hex =>
  encodeFunctionData({ abi: saleEscrowAbi, functionName: 'deliver', args: [tokensMax] })
