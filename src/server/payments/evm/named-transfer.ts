import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { NamedTransfer } from '../chain-source.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import { type RpcLog, readTransferLogs } from './transfer-logs.ts'

interface Receipt {
  status: string
  blockNumber: string
  blockHash: string
  logs: RpcLog[]
}

const NATIVE_DECIMALS = 18
const toHex = (height: number) => `0x${height.toString(16)}`

// Rules: REFUND-7
/**
 * Returns the transfers to `addressKey` in a transaction that an operator named. Token: the transfer logs of its receipt. Native coin: one
 * transfer of what the address gained over the whole block, because a contract's payment leaves no log. Returns `[]` if the transaction is
 * not mined or failed, and for the native coin if the balance did not grow or the node has pruned it.
 */
export async function readNamedTransfers(
  rpc: JsonRpc,
  transactionId: string,
  addressKey: string,
  token: { readonly contract: string; readonly decimals: number } | null,
): Promise<NamedTransfer[]> {
  const receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', transactionId)
  if (receipt?.status !== '0x1') return []
  const [height, hash] = [Number(receipt.blockNumber), receipt.blockHash]
  if (token)
    return readTransferLogs(receipt.logs, (key) => key === addressKey)
      .filter(({ contract }) => contract === token.contract)
      .map(({ outputKey, units }) => ({
        outputKey,
        height,
        hash,
        amount: amountFromUnits(units, token.decimals),
      }))
  const gained = await gainedUnits(rpc, addressKey, height)
  if (gained <= 0n) return []
  return [{ outputKey: 'named', height, hash, amount: amountFromUnits(gained, NATIVE_DECIMALS) }]
}

async function gainedUnits(rpc: JsonRpc, addressKey: string, height: number): Promise<bigint> {
  const balances = await rpc.batchEach<string>(
    [height - 1, height].map((at) => ({ method: 'eth_getBalance', params: [addressKey, toHex(at)] })),
  )
  const [before, after] = balances.map((balance) => (balance instanceof RpcError ? null : BigInt(balance)))
  return typeof before === 'bigint' && typeof after === 'bigint' ? after - before : 0n
}
