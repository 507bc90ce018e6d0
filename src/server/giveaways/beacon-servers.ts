import { type Beacon, isSignatureOfRound } from '../../shared/giveaway-beacon.ts'
import { shortAnswer } from '../outside/outside.ts'

const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 10_000

/** Asks in turn until a signature is valid; null if none has it yet. */
export function askBeacon(beacon: Beacon, servers: readonly string[]) {
  return async (round: number): Promise<string | null> => {
    const faults: unknown[] = []
    for (const server of servers) {
      try {
        const signature = await askOne(`${server}/${beacon.chain}/public/${round}`)
        if (signature && !isSignatureOfRound(beacon, round, signature))
          throw new Error('what was answered is not signed by the network')
        if (signature) return signature
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'no server of the beacon answered')
    return null
  }
}

async function askOne(url: string): Promise<string | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  // 425: too early by the server's clock.
  if (response.status === 404 || response.status === 425) return null
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const { signature } = JSON.parse(await shortAnswer(response, ANSWER_MAX_BYTES)) as { signature?: unknown }
  if (typeof signature !== 'string' || !/^[0-9a-f]{96}$/i.test(signature)) throw new Error('no signature')
  return signature
}
