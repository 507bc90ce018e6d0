import { compare } from '../../../shared/money.ts'
import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { AskedDeed, AskedPayment, Opinion } from '../chain-source.ts'
import { type JsonRpc, type RpcCall, RpcError } from '../json-rpc.ts'
import { readEscrowLogs } from './escrow-logs.ts'
import {
  costOf,
  NATIVE_DECIMALS,
  quantity,
  type RpcBlock,
  type RpcReceipt,
  type RpcTransaction,
  toHex,
} from './evm-rpc.ts'
import { readNamedTransfers } from './named-transfer.ts'
import { readTransferLogs } from './transfer-logs.ts'

/**
 * Calls about a payment besides the block at its height; `judge` returns the hash of the payment's block, or
 * null.
 */
interface Question {
  readonly calls: readonly RpcCall[]
  /** The node must answer one of these. */
  readonly eitherOf?: readonly RpcCall[]
  judge(answers: readonly unknown[], block: RpcBlock | null, either: readonly unknown[]): string | null
}

// Rules: SETTLE-28
/** About each payment's recipient, amount and block. Throws the error of an unreachable node. */
export async function askSecondNode(rpc: JsonRpc, payments: readonly AskedPayment[]): Promise<Opinion[]> {
  const questions = payments.map((payment) => {
    const { eitherOf = [], ...question } = questionOf(payment)
    const ofBlock = { method: 'eth_getBlockByNumber', params: [toHex(payment.height), false] }
    return { ...question, calls: [ofBlock, ...question.calls], eitherOf, isLacking: payment.isLacking }
  })
  const answers = await rpc.batchEach<unknown>(
    questions.flatMap(({ calls, eitherOf }) => [...calls, ...eitherOf]),
  )
  let at = 0
  return questions.map(({ calls, eitherOf, isLacking, judge }) => {
    const mine = answers.slice(at, (at += calls.length))
    const either = answers.slice(at, (at += eitherOf.length))
    const isFault = (answer: unknown) => answer instanceof RpcError
    const fault = mine.find(isFault) ?? (either.every(isFault) ? either.at(-1) : undefined)
    if (fault instanceof RpcError) return { shown: null, fault: fault.message }
    try {
      const [block, ...said] = mine as [RpcBlock | null, ...unknown[]]
      const hash = judge(said, block, either)
      // Not lacking: the node is behind or shows the payment elsewhere.
      if (hash === null || block?.hash !== hash)
        return { shown: null, lacks: isLacking && hash === null && block !== null, fault: null }
      return { shown: { hash, minedAt: new Date(quantity(block.timestamp) * 1000) }, fault: null }
    } catch {
      return { shown: null, fault: 'the second node answered something else than was asked' }
    }
  })
}

// Rules: SETTLE-28
/**
 * The second node's block with a refund's transaction or an escrow's return. Throws the error of an
 * unreachable node.
 */
export async function askSecondOfDeed(rpc: JsonRpc, deed: AskedDeed): Promise<string | null> {
  const { subject, transactionId, addressKey, contract, decimals } = deed
  if (subject === 'refund') {
    const token = contract === null ? null : { contract, decimals }
    const transfers = await readNamedTransfers(rpc, transactionId, addressKey, token)
    const found = transfers.find(
      ({ outputKey, amount }) => outputKey === deed.outputKey && compare(amount, deed.amount) === 0,
    )
    return found?.hash ?? null
  }
  const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', transactionId)
  const [chain = '', escrow = ''] = addressKey.split(':')
  const { returns } = readEscrowLogs(receipt?.logs ?? [], new Map([[escrow, `${chain}:${escrow}`]]))
  const isReturned = receipt?.status === '0x1' && returns.some(({ orderKey }) => orderKey === addressKey)
  return isReturned ? receipt.blockHash : null
}

function questionOf(payment: AskedPayment): Question {
  if (payment.outputKey === 'balance') return askBalance(payment)
  if (payment.outputKey === 'paid') return askPaid(payment)
  return payment.asset === 'native' ? askValue(payment) : askLogs(payment)
}

const receiptOf = ({ transactionId }: AskedPayment) => ({
  method: 'eth_getTransactionReceipt',
  params: [transactionId],
})

function askValue(payment: AskedPayment): Question {
  return {
    calls: [{ method: 'eth_getTransactionByHash', params: [payment.transactionId] }, receiptOf(payment)],
    judge(answers) {
      const [transaction, receipt] = answers as [RpcTransaction | null, RpcReceipt | null]
      const isPaid =
        transaction?.to?.toLowerCase() === payment.addressKey &&
        isAmount(payment, BigInt(transaction.value), NATIVE_DECIMALS)
      return isPaid && receipt?.status === '0x1' ? receipt.blockHash : null
    },
  }
}

function askLogs(payment: AskedPayment): Question {
  return {
    calls: [receiptOf(payment)],
    judge(answers) {
      const [receipt] = answers as [RpcReceipt | null]
      const transfers = readTransferLogs(receipt?.logs ?? [], (key) => key === payment.addressKey)
      const transfer = transfers.find(({ outputKey }) => outputKey === payment.outputKey)
      const isPaid = transfer && isAmount(payment, transfer.units, payment.decimals)
      return isPaid && receipt ? receipt.blockHash : null
    },
  }
}

function askPaid(payment: AskedPayment): Question {
  return {
    calls: [receiptOf(payment)],
    judge(answers) {
      const [receipt] = answers as [RpcReceipt | null]
      const [chain = '', escrow = ''] = payment.addressKey.split(':')
      const { payments } = readEscrowLogs(receipt?.logs ?? [], new Map([[escrow, `${chain}:${escrow}`]]))
      const found = payments.find(({ place }) => place === payment.addressKey)
      const decimals = payment.asset === 'native' ? NATIVE_DECIMALS : payment.decimals
      const isPaid = found?.asset === payment.asset && isAmount(payment, found.units, decimals)
      return isPaid && receipt?.status === '0x1' ? receipt.blockHash : null
    },
  }
}

/**
 * Coins sent by a contract have no transfer. The address must hold the expected balance in the payment's
 * block, or in the last one if that state is pruned. Its own transactions must exist with the same cost.
 */
function askBalance({ addressKey, held, sent }: AskedPayment): Question {
  return {
    calls: sent.flatMap(({ transactionId }) => [
      { method: 'eth_getTransactionByHash', params: [transactionId] },
      { method: 'eth_getTransactionReceipt', params: [transactionId] },
    ]),
    eitherOf: held.map((known) => ({ method: 'eth_getBalance', params: [addressKey, toHex(known.height)] })),
    judge(answers, block, balances) {
      const known = balances.findIndex((units) => typeof units === 'string')
      const units = BigInt(String(balances[known]))
      const isHeld = compare(amountFromUnits(units, NATIVE_DECIMALS), held[known]?.balance ?? '') >= 0
      const isSent = sent.every(({ cost }, index) => {
        const [transaction, receipt] = answers.slice(2 * index) as [RpcTransaction | null, RpcReceipt | null]
        if (transaction?.from.toLowerCase() !== addressKey || !receipt) return false
        return compare(amountFromUnits(costOf(transaction, receipt), NATIVE_DECIMALS), cost) >= 0
      })
      return isHeld && isSent ? (block?.hash ?? null) : null
    },
  }
}

const isAmount = ({ amount }: AskedPayment, units: bigint, decimals: number) =>
  compare(amountFromUnits(units, decimals), amount) === 0
