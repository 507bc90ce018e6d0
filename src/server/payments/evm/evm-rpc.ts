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
}

export const NATIVE_DECIMALS = 18

/** A number that a node answered: nothing else is taken for one, least of all nothing for 0. */
export function quantity(answer: unknown): number {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer)
  throw new RetryableError(new Error('the node answered no number'))
}

export const toHex = (height: number) => `0x${height.toString(16)}`
