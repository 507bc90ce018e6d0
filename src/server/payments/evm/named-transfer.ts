import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { NamedTransfer } from '../chain-source.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import {
  NATIVE_DECIMALS,
  quantity,
  type RpcBlock,
  type RpcReceipt,
  type RpcTransaction,
  toHex,
} from './evm-rpc.ts'
import { readTransferLogs } from './transfer-logs.ts'

// Rules: REFUND-5, REFUND-6
/**
 * Transfers to `addressKey` in a submitted transaction, each with its key in the block.
 * - Token: the transfer logs of the receipt.
 * - Native coin sent to the address itself: `value`.
 * - Native coin sent by a contract, which leaves no log: the address's gain over the block, minus direct
 * transactions to it. Its key is `named`; no block lists such a transfer.
 * Returns `[]` if the transaction is not mined or failed, and for a contract's coins if the balance did not
 * grow or is pruned.
 */
export async function readNamedTransfers(
  rpc: JsonRpc,
  transactionId: string,
  addressKey: string,
  token: { readonly contract: string; readonly decimals: number } | null,
): Promise<NamedTransfer[]> {
  const receipt = await rpc.call<(RpcReceipt & { blockNumber: string }) | null>(
    'eth_getTransactionReceipt',
    transactionId,
  )
  if (receipt?.status !== '0x1') return []
  const [height, hash] = [quantity(receipt.blockNumber), receipt.blockHash]
  if (token)
    return readTransferLogs(receipt.logs, (key) => key === addressKey)
      .filter(({ contract }) => contract === token.contract)
      .map(({ outputKey, units }) => ({
        outputKey,
        height,
        hash,
        amount: amountFromUnits(units, token.decimals),
      }))
  const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', receipt.blockNumber, true)
  if (block?.hash !== hash) return []
  const direct = block.transactions.filter(({ to }) => to?.toLowerCase() === addressKey)
  const own = direct.find((transaction) => transaction.hash === transactionId)
  const [outputKey, units] =
    own && BigInt(own.value) > 0n
      ? ['value', BigInt(own.value)]
      : ['named', await unitsOfContracts(rpc, addressKey, height, direct)]
  return units > 0n ? [{ outputKey, height, hash, amount: amountFromUnits(units, NATIVE_DECIMALS) }] : []
}

/** The address's gain in a block beyond `direct` transactions; 0 if a balance is unknown. */
async function unitsOfContracts(
  rpc: JsonRpc,
  addressKey: string,
  height: number,
  direct: readonly RpcTransaction[],
): Promise<bigint> {
  const balances = await rpc.batchEach<string>(
    [height - 1, height].map((at) => ({ method: 'eth_getBalance', params: [addressKey, toHex(at)] })),
  )
  const [before, after] = balances.map((balance) => (balance instanceof RpcError ? null : BigInt(balance)))
  if (typeof before !== 'bigint' || typeof after !== 'bigint') return 0n
  const receipts = await rpc.batch<RpcReceipt | null>(
    direct.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const sent = direct.filter((_, index) => receipts[index]?.status === '0x1')
  return sent.reduce((units, { value }) => units - BigInt(value), after - before)
}
