import { TRANSFER_TOPIC } from './transfer-topic.ts'

/** A log as an EVM node answers it. */
export interface RpcLog {
  address: string
  topics: string[]
  data: string
  blockHash: string
  transactionHash: string
  logIndex: string
  removed?: boolean
}

/** A transfer of a token, in its smallest units. */
export interface TokenTransfer {
  readonly contract: string
  readonly addressKey: string
  readonly units: bigint
  /** `{contract}#{n}`: a log's index is that of its block, which a reorg changes; its place among its transaction's own is kept. */
  readonly outputKey: string
  readonly log: RpcLog
}

/** Beyond any supply: a contract that makes its own numbers up. */
const UNITS_MAX = 10n ** 48n

/** The token transfers to some of our addresses that logs tell of, in the order of the chain. */
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
