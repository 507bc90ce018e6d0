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
 * The transfers to an address of a transaction that an operator named: of a token by its receipt; of the chain's own coin, all that the
 * address gained in that block, because a contract's payment leaves no transfer. None where no block holds the transaction, where it
 * failed, and where the node has forgotten the balances of then.
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
