import { TRANSFER_TOPIC } from './transfer-topic.ts'

export interface RpcLog {
  address: string
  topics: string[]
  data: string
  blockHash: string
  transactionHash: string
  logIndex: string
  removed?: boolean
}

export interface TokenTransfer {
  readonly contract: string
  readonly addressKey: string
  readonly units: bigint
  /**
   * `{contract}#{n}`: n is the place within the transaction, because the index in the block changes with a
   * reorg.
   */
  readonly outputKey: string
  readonly log: RpcLog
}

/** Above any real supply; contracts can invent numbers. */
const UNITS_MAX = 10n ** 48n

/** In chain order. */
export function readTransferLogs(
  logs: Iterable<RpcLog>,
  isOurs: (addressKey: string) => boolean,
): TokenTransfer[] {
  const counts = new Map<string, number>()
  return [...logs]
    .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))
    .flatMap((log) => {
      const transfer = log.removed ? null : readLog(log)
      if (!transfer || !isOurs(transfer.addressKey)) return []
      const group = `${log.transactionHash}:${transfer.contract}:${transfer.addressKey}`
      const place = counts.get(group) ?? 0
      counts.set(group, place + 1)
      return [{ ...transfer, outputKey: `${transfer.contract}#${place}`, log }]
    })
}

function readLog(log: RpcLog): { contract: string; addressKey: string; units: bigint } | null {
  const to = log.topics[2]
  if (log.topics[0] !== TRANSFER_TOPIC || log.topics.length !== 3 || to === undefined) return null
  if (!/^0x[0-9a-f]{64}$/i.test(log.data)) return null
  const units = BigInt(log.data)
  if (units === 0n || units > UNITS_MAX) return null
  return { contract: log.address.toLowerCase(), addressKey: `0x${to.slice(26).toLowerCase()}`, units }
}
