import { setTimeout as delay } from 'node:timers/promises'
import { addBuyers, addOperator, raiseGoal } from './fill.ts'
import { Buyers, PAGE_OPEN_MS, STEPS } from './load-day-buyers.ts'
import { BusyChain } from './load-day-chain.ts'
import { cpuSeconds, memoryMb, type RunningServer, run } from './machine.ts'
import { percentile, type Row, shown } from './rows.ts'
import { SECRET_KEY, type Stage, type StageDatabase } from './stage.ts'

/** Buyers of an hour, each of whom orders and pays. */
const BUYERS = 1_000_000
const PER_SECOND = BUYERS / 3_600
/** Divisors of the load, tried in turn until one is not sustained. */
const PARTS = [40, 20, 10, 5, 2.5, 1]
const HELD_ORDER_MS = 1_000
/** If it is later, the figures measure the process that plays the buyers. */
const LATE_MS = 250
const SETTLED_WITHIN_MS = 120_000

/**
 * Each buyer looks, orders, watches the order and pays on a chain. docs/performance.md extrapolates the full
 * load.
 */
export async function measure(stage: Stage): Promise<Row[]> {
  const seconds = stage.quick ? 15 : 90
  const parts = stage.quick ? PARTS.slice(0, 2) : PARTS
  const database = await stage.database('load_day')
  await raiseGoal(database.client)
  await addBuyers(
    database.client,
    Math.ceil(parts.reduce((sum, part) => sum + (1.1 * PER_SECOND * seconds) / part, 200)),
  )
  const operator = await addOperator(database.client, 'owner')
  const chain = await BusyChain.open()
  const server = await stage.server(database, {
    environment: { TRUST_PROXY: '1', ...chain.environment },
  })
  const day = new LoadDay(stage, database, server, chain)
  try {
    await chain.watch(server.url, operator)
    const rows: Row[] = []
    for (const part of parts) {
      const { row, isHeld } = await day.hold(part, seconds)
      rows.push(row)
      console.log(`  ${row.what}: ${row.measured}; ${row.notes}`)
      if (!isHeld) break
    }
    return [...rows, await checkRow(database, chain)]
  } finally {
    await server.stop()
    await chain.stop()
  }
}

class LoadDay {
  readonly #stage: Stage
  readonly #database: StageDatabase
  readonly #server: RunningServer
  readonly #chain: BusyChain
  readonly #chance: () => number
  #next = 1

  constructor(stage: Stage, database: StageDatabase, server: RunningServer, chain: BusyChain) {
    this.#stage = stage
    this.#database = database
    this.#server = server
    this.#chain = chain
    this.#chance = chanceFrom(stage.seed)
  }

  /** Holds the load until all payments are credited. */
  async hold(part: number, seconds: number): Promise<{ row: Row; isHeld: boolean }> {
    const pay = ({ address, cryptoAmount: amount }: { address: string; cryptoAmount: string }) =>
      this.#chain.pay({ address, amount })
    const buyers = new Buyers(this.#server.port, this.#chain.currency, pay)
    const spent = this.#cpu()
    const startedAt = performance.now()
    const came = await buyers.come(this.#next, PER_SECOND / part, seconds, this.#chance)
    this.#next += came
    const settledSeconds = await this.#settle()
    const elapsed = (performance.now() - startedAt) / 1_000
    const now = this.#cpu()
    const lines = STEPS.map((step) => {
      const taken = buyers.taken[step]
      return `${step} ${shown(percentile(taken, 0.5), 0)} and ${shown(percentile(taken, 0.99), 0)}`
    })
    const others = [...buyers.answers].filter(([answer]) => !/ 20\d$/.test(answer))
    const refused = others.reduce((sum, [, count]) => sum + count, 0) + buyers.lostStreams
    const late = percentile(buyers.late, 0.99)
    const reasons = [
      ...others.map(([answer, count]) => `${answer}: ${count}`),
      ...(buyers.lostStreams > 0 ? [`streams lost: ${buyers.lostStreams}`] : []),
      ...(percentile(buyers.taken.order, 0.99) < HELD_ORDER_MS ? [] : [`orders over ${HELD_ORDER_MS} ms`]),
      ...(late < LATE_MS ? [] : [`the buyers’ own process late by ${shown(late, 0)} ms`]),
      ...(settledSeconds === undefined ? ['payments not credited'] : []),
    ]
    const each = (side: 'server' | 'postgres') => shown(((now[side] - spent[side]) / came) * 1_000, 1)
    buyers.close()
    return {
      isHeld: reasons.length === 0,
      row: {
        what: `load day, 1/${part} of an hour of 1,000,000 buyers: ${shown(PER_SECOND / part, 1)} a second for ${seconds} s`,
        target: 'all answered, orders < 1 s at p99',
        measured: reasons.length === 0 ? 'held' : `not held: ${reasons.join(', ')}`,
        runs: came,
        notes: `p50 and p99 in ms: ${lines.join(', ')}; ${refused} refused or lost; answers ${JSON.stringify(Object.fromEntries(buyers.answers))}; at most ${buyers.mostStreams} order pages open at once; all paid orders credited ${settledSeconds === undefined ? 'never' : `${shown(settledSeconds, 0)} s`} after the last order; processor time a buyer: server ${each('server')} ms, PostgreSQL ${each('postgres')} ms, over ${shown(elapsed, 0)} s; server ${shown(memoryMb(this.#server.pid), 0)} MB; buyers’ process late by ${shown(late, 0)} ms at p99`,
      },
    }
  }

  #cpu() {
    return { server: cpuSeconds(this.#server.pid), postgres: cpuSeconds(this.#stage.postgres.pid) }
  }

  /** Undefined if that never happens. */
  async #settle(): Promise<number | undefined> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < SETTLED_WITHIN_MS) {
      const { rows } = await this.#database.client.query<{ open: string }>(
        "select count(*) as open from orders where status <> 'approved'",
      )
      if (rows[0]?.open === '0') return (performance.now() - startedAt) / 1_000
      await delay(250)
    }
    return undefined
  }
}

/** Checks the ledger, and that every payment was credited. */
async function checkRow({ url, client }: StageDatabase, chain: BusyChain): Promise<Row> {
  const { rows } = await client.query<{ approved: string; payments: string }>(
    `select (select count(*) from orders where status = 'approved') as approved,
            (select count(*) from payments where credited > 0) as payments`,
  )
  const { approved, payments } = rows[0] ?? { approved: '', payments: '' }
  const environment = { DATABASE_URL: url, SECRET_KEY }
  const { out, status } = await run(process.execPath, ['dist/server/ledger-check.js'], environment)
  if (status !== 0) console.log(out)
  const isWhole = status === 0 && Number(approved) === chain.paid && Number(payments) === chain.paid
  return {
    what: 'the ledger after the load day: npm run ledger:check, and each payment credited once',
    target: 'all rules hold',
    measured: isWhole ? 'all rules hold' : 'broken',
    passed: isWhole,
    runs: 1,
    notes: `${chain.paid} payments sent, ${payments} credited, ${approved} orders approved by them; each page stayed open for ${PAGE_OPEN_MS / 1_000} s`,
  }
}

/** Random numbers from 0 to 1. */
function chanceFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
