import { RetryableError } from '../../refusal.ts'
import type { RpcLog } from './transfer-logs.ts'

export interface RpcTransaction {
  hash: string
  from: string
  to: string | null
  value: string
  nonce: string
  input: string
  gasPrice?: string
}

export interface RpcBlock {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  transactions: RpcTransaction[]
}

export interface RpcReceipt {
  status: string
  blockHash: string
  logs: RpcLog[]
  gasUsed: string
  effectiveGasPrice?: string
  /** A rollup's data fee, besides gas. */
  l1Fee?: string
}

export const NATIVE_DECIMALS = 18

/** Throws for anything but a number, so that a missing one is not taken for 0. */
export function quantity(answer: unknown): number {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer)
  throw new RetryableError(new Error('the node answered no number'))
}

export const toHex = (height: number) => `0x${height.toString(16)}`

/** To the sender, in the smallest units; too low if a network takes fees that no receipt shows. */
export function costOf(transaction: RpcTransaction, receipt: RpcReceipt): bigint {
  const price = BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0')
  const fee = BigInt(receipt.gasUsed) * price + BigInt(receipt.l1Fee ?? '0x0')
  return receipt.status === '0x1' ? fee + BigInt(transaction.value) : fee
}
