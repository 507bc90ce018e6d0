import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionLoss } from './database/database.ts'
import { createLog, type Log } from './log.ts'
import { RetryableError } from './refusal.ts'

const PROBE_EVERY_MS = 1_000
const PROBE_MAX_MS = 3_000

export interface OutageLog {
  readonly log: Log
  /** `probe` throws while the database is away. */
  watch(probe: () => Promise<unknown>): void
}

/**
 * Reports a database outage at its start and end, and drops lines in between that only repeat it. Holds lines
 * until the first probe has an answer.
 */
export function createOutageLog(to?: { write(line: string): void }): OutageLog {
  let probe: (() => Promise<unknown>) | undefined
  let state: 'there' | 'asked' | 'away' = 'there'
  let held: (() => void)[] = []

  const isThere = async () => {
    const asked = probe?.().then(
      () => true,
      () => false,
    )
    return Promise.race([asked, delay(PROBE_MAX_MS, false, { ref: false })])
  }
  const look = async (reason: string) => {
    state = 'asked'
    const found = await isThere()
    const lines = held
    held = []
    state = found ? 'there' : 'away'
    if (found) {
      for (const write of lines) write()
      return
    }
    const since = Date.now()
    log.error({ reason }, 'database unreachable')
    do await delay(PROBE_EVERY_MS, undefined, { ref: false })
    while (!(await isThere()))
    state = 'there'
    log.info({ seconds: Math.round((Date.now() - since) / 1_000) }, 'database back')
  }
  const log = createLog('info', to, (error, write) => {
    const isLoss = isConnectionLoss(error) || error instanceof RetryableError
    if (!isLoss || !probe) return write()
    if (state === 'away') return
    held.push(write)
    if (state === 'there') void look(error instanceof Error ? error.message : String(error))
  })
  return {
    log,
    watch: (given) => {
      probe = given
    },
  }
}
