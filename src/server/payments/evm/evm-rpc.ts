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

export const toHex = (height: number) => `0x${height.toString(16)}`
