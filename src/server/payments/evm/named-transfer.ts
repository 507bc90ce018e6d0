import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { NamedTransfer } from '../chain-source.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import { TRANSFER_TOPIC } from './transfer-topic.ts'

interface Receipt {
  status: string
  blockNumber: string
  blockHash: string
  logs: { address: string; topics: string[]; data: string }[]
}

const NATIVE_DECIMALS = 18
const toHex = (height: number) => `0x${height.toString(16)}`

// Rules: REFUND-7
/**
 * What a transaction that an operator named brought to an address: of a token by its receipt, of the chain's own coin by what the address
 * gained in that block, because a contract's payment leaves no transfer. Null where no block holds the transaction, where it failed, and
 * where the node has forgotten the balances of then.
 */
export async function readNamedTransfer(
  rpc: JsonRpc,
  transactionId: string,
  addressKey: string,
  token: { readonly contract: string; readonly decimals: number } | null,
): Promise<NamedTransfer | null> {
  const receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', transactionId)
  if (receipt?.status !== '0x1') return null
  const height = Number(receipt.blockNumber)
  const units = token
    ? receivedUnits(receipt, addressKey, token.contract)
    : await gainedUnits(rpc, addressKey, height)
  if (units <= 0n) return null
  return {
    height,
    hash: receipt.blockHash,
    amount: amountFromUnits(units, token?.decimals ?? NATIVE_DECIMALS),
  }
}

function receivedUnits({ logs }: Receipt, addressKey: string, contract: string): bigint {
  const received = logs.filter(
    ({ address, topics }) =>
      topics.length === 3 &&
      address.toLowerCase() === contract &&
      topics[0] === TRANSFER_TOPIC &&
      topics[2]?.slice(26).toLowerCase() === addressKey.slice(2),
  )
  return received.reduce((sum, { data }) => sum + BigInt(data), 0n)
}

async function gainedUnits(rpc: JsonRpc, addressKey: string, height: number): Promise<bigint> {
  const balances = await rpc.batchEach<string>(
    [height - 1, height].map((at) => ({ method: 'eth_getBalance', params: [addressKey, toHex(at)] })),
  )
  const [before, after] = balances.map((balance) => (balance instanceof RpcError ? null : BigInt(balance)))
  return typeof before === 'bigint' && typeof after === 'bigint' ? after - before : 0n
}
