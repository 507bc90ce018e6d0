import type { Hex } from 'viem'
import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import { saleEscrowAbi } from '../../../../contracts/artifacts/abi.ts'
import { orderKeyOf, placeInEscrow } from '../../../shared/escrow-places.ts'
import type { EscrowReturn } from '../chain-source.ts'
import type { RpcLog } from './transfer-logs.ts'

/** In the asset's smallest units. */
export interface EscrowPayment {
  readonly place: string
  /** `native`, or a token's contract in lower case. */
  readonly asset: string
  readonly units: bigint
  readonly payer: string
  readonly log: RpcLog
}

const NATIVE = `0x${'0'.repeat(40)}`
const topicOf = (eventName: 'Paid' | 'OrderCancelled' | 'Refunded') =>
  encodeEventTopics({ abi: saleEscrowAbi, eventName })[0]
export const ESCROW_TOPICS = [topicOf('Paid'), topicOf('OrderCancelled'), topicOf('Refunded')]

// Rules: DELIVER-11
/** `prefixes`: contract in lower case → `CHAIN:CONTRACT`. Ignores other contracts' logs. */
export function readEscrowLogs(
  logs: readonly RpcLog[],
  prefixes: ReadonlyMap<string, string>,
): { payments: EscrowPayment[]; returns: EscrowReturn[] } {
  const payments: EscrowPayment[] = []
  const returns: EscrowReturn[] = []
  for (const log of logs) {
    const escrow = prefixes.get(log.address.toLowerCase())
    const event = escrow === undefined || log.removed ? null : eventOf(log)
    if (!event || escrow === undefined) continue
    if (event.eventName === 'Paid') {
      const { asset, amount, payer } = event.args
      payments.push({
        place: placeInEscrow(escrow, event.args),
        asset: asset === NATIVE ? 'native' : asset.toLowerCase(),
        units: amount,
        payer: payer.toLowerCase(),
        log,
      })
    } else if (event.eventName === 'OrderCancelled' || event.eventName === 'Refunded') {
      const orderKey = orderKeyOf(escrow, event.args.orderId)
      returns.push({ orderKey, transactionId: log.transactionHash })
    }
  }
  return { payments, returns }
}

function eventOf({ topics, data }: RpcLog) {
  try {
    return decodeEventLog({ abi: saleEscrowAbi, topics: topics as [Hex, ...Hex[]], data: data as Hex })
  } catch {
    return null
  }
}
