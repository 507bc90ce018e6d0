import { RetryableError } from '../../refusal.ts'
import type { RpcLog } from './transfer-logs.ts'

/** What an EVM node answers, as far as it is read here. */
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
  /** What a rollup takes for its data, beside the gas. */
  l1Fee?: string
}

export const NATIVE_DECIMALS = 18

/** A number that a node answered: nothing else is taken for one, least of all nothing for 0. */
export function quantity(answer: unknown): number {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer)
  throw new RetryableError(new Error('the node answered no number'))
}

export const toHex = (height: number) => `0x${height.toString(16)}`

/** What a transaction took from its sender, in the smallest units, or less where a network takes fees that no receipt names. */
export function costOf(transaction: RpcTransaction, receipt: RpcReceipt): bigint {
  const price = BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0')
  const fee = BigInt(receipt.gasUsed) * price + BigInt(receipt.l1Fee ?? '0x0')
  return receipt.status === '0x1' ? fee + BigInt(transaction.value) : fee
}
