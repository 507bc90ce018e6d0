import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbedded } from '../src/server/database/embedded.ts'
import { ABANDON, accountOf } from '../test/chains/account-keys.ts'
import { type Litecoind, startLitecoind } from '../test/chains/processes.ts'
import { apiOf, operatorToken, password, registerToken } from '../test/support/api.ts'
import {
  killDatabase,
  type Program,
  type RunningServer,
  runProgram,
  startProgram,
  startServerProgram,
} from '../test/support/program.ts'
import {
  approveUntilLost,
  buyUntilLost,
  faultsOf,
  type Load,
  type MadeOrder,
  noLoad,
  repeatUnanswered,
  untilReady,
} from '../test/support/recorded-load.ts'
import { raiseGoal } from './fill.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

const BUYERS = 4
/** A pause after each order, so that an hour of orders fits into the sale. */
const ORDER_MS = 50
const CONFIRMATIONS = 12
/** Payments of 2 LTC that a new regtest wallet can make. */
const PAYMENTS_MAX = 500
const PARTS = ['web', 'jobs', 'watchers'] as const
const VICTIMS = [...PARTS, 'database'] as const
type Victim = (typeof VICTIMS)[number]

/** Checks that everything acknowledged exists exactly once. Ctrl+C stops it with the figures so far. */
export async function measure({ folder, kills }: Stage): Promise<Row[]> {
  const sale = await KilledSale.open(join(folder, 'kills'))
  let round = 0
  let isEnough = false
  const stop = () => {
    isEnough = true
  }
  process.once('SIGINT', stop)
  try {
    while (round < kills && !isEnough) {
      round += 1
      await sale.killAndRecover(VICTIMS[round % VICTIMS.length] ?? 'web')
      if (round % 4 === 0) console.log(`  ${round} kills: ${sale.described()}`)
    }
    const faults = await sale.faults()
    for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
    return [
      {
        what: 'kill -9 of server, jobs, watchers and database in turn, under load: lost or doubled of what was acknowledged',
        target: '0',
        measured: String(faults.length),
        passed: faults.length === 0,
        runs: round,
        notes: sale.described(),
      },
    ]
  } finally {
    process.off('SIGINT', stop)
    await sale.close()
  }
}

const databaseIn = (folder: string) => join(folder, 'database')

/** A sale in four processes with a node, load and acknowledgements. */
class KilledSale {
  readonly #postgres: EmbeddedPostgres
  readonly #node: Litecoind
  readonly #dataDir: string
  readonly #databaseDir: string
  readonly #parts = new Map<'jobs' | 'watchers', Program>()
  readonly #byOperator = noLoad()
  /** Orders on the chain; `approved` are the paid ones. */
  readonly #byChain = noLoad()
  readonly #backSeconds: number[] = []
  #repeated = 0
  #web: RunningServer | undefined
  #buyers: string[] = []
  #operator = ''
  #loading: Promise<unknown> = Promise.resolve()
  #ending = new AbortController()
  #isLoaded = false

  private constructor(postgres: EmbeddedPostgres, node: Litecoind, folder: string) {
    this.#postgres = postgres
    this.#node = node
    this.#dataDir = join(folder, 'data')
    this.#databaseDir = databaseIn(folder)
  }

  static async open(folder: string): Promise<KilledSale> {
    const postgres = await startEmbedded({ dataDir: databaseIn(folder), mode: 'own' })
    const sale = new KilledSale(postgres, await startLitecoind(), folder)
    await sale.#begin().catch(async (error: unknown) => {
      await sale.close()
      throw error
    })
    return sale
  }

  async #begin(): Promise<void> {
    await this.#startWeb()
    await this.#makeRoom()
    this.#startPart('watchers')
    this.#startPart('jobs')
    this.#buyers = await Promise.all(Array.from({ length: BUYERS + 1 }, () => registerToken(this.#url)))
    await this.#watchLitecoin()
    await this.#startLoad()
  }

  async #makeRoom(): Promise<void> {
    const client = new Client({ connectionString: this.#postgres.ownerUrl })
    await client.connect()
    await raiseGoal(client).finally(() => client.end())
  }

  /** Kills; waits until all are back, and repeats requests without an answer. */
  async killAndRecover(victim: Victim): Promise<void> {
    await this.#untilSomethingIsMade()
    await this.#node.mine(1)
    await delay(randomInt(300))
    const killedAt = performance.now()
    if (victim === 'jobs' || victim === 'watchers') {
      this.#parts.get(victim)?.child.kill('SIGKILL')
      await this.#parts.get(victim)?.ended
      this.#startPart(victim)
      return
    }
    if (victim === 'web') await this.#web?.kill()
    else await killDatabase(this.#databaseDir)
    await this.#endLoad()
    if (victim === 'web') await this.#startWeb()
    else await untilReady(this.#url)
    this.#backSeconds.push((performance.now() - killedAt) / 1_000)
    await this.#startLoad()
  }

  /** Each kill must risk something. Restarts an ended load. */
  async #untilSomethingIsMade(): Promise<void> {
    const { orders, approved } = this.#byOperator
    const [ordersMin, approvedMin] = [orders.size + 2, approved.size + 2]
    while (orders.size < ordersMin || approved.size < approvedMin) {
      if (!this.#isLoaded) {
        await this.#endLoad()
        await untilReady(this.#url)
        await this.#startLoad()
      }
      await delay(10)
    }
  }

  /** Lets the chain confirm all payments first. */
  async faults(): Promise<string[]> {
    await this.#endLoad()
    await this.#web?.stop()
    await this.#startWeb()
    this.#operator = await operatorToken(this.#url, 'owner')
    await this.#repeat()
    await this.#node.mine(CONFIRMATIONS)
    let faults: string[] = []
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
      faults = await faultsOf(this.#postgres.ownerUrl, [this.#byOperator, this.#byChain])
      if (faults.length === 0) break
      await delay(1_000)
    }
    const check = await runProgram(['dist/server/ledger-check.js'], this.#environment())
    return check.code === 0 ? faults : [...faults, check.output]
  }

  described(): string {
    const [orders, approvals, payments] = [
      this.#byOperator.orders.size + this.#byChain.orders.size,
      this.#byOperator.approved.size,
      this.#byChain.approved.size,
    ]
    const back =
      this.#backSeconds.length > 0
        ? `; back after a median of ${shown(median(this.#backSeconds), 1)} s, at most ${shown(Math.max(...this.#backSeconds), 1)} s`
        : ''
    return `${orders} orders, ${approvals} approvals and ${payments} payments acknowledged, ${this.#repeated} requests without an answer sent again${back}`
  }

  async close(): Promise<void> {
    for (const program of [this.#web, ...this.#parts.values()]) {
      program?.child.kill('SIGKILL')
      await program?.ended
    }
    await this.#loading
    await this.#node.stop()
    await this.#postgres.stop()
  }

  get #url(): string {
    return this.#web?.url ?? ''
  }

  #environment(): Record<string, string> {
    return {
      DATABASE_URL: this.#postgres.ownerUrl,
      DATA_DIR: this.#dataDir,
      SECRET_KEY: 'a key for benchmarks, which guards nothing at all',
      RATE_LIMIT: 'off',
      DEMO: 'on',
      OPERATOR_LOGIN: 'owner',
      OPERATOR_PASSWORD: password,
      CHAIN_LITECOIN_RPC_URL: this.#node.url,
      CHAIN_LITECOIN_NETWORK: 'regtest',
    }
  }

  async #startWeb(): Promise<void> {
    this.#web = await startServerProgram(this.#environment(), this.#dataDir, ['--only', 'web'])
  }

  #startPart(part: 'jobs' | 'watchers'): void {
    this.#parts.set(part, startProgram(['dist/server/main.js', '--only', part], this.#environment()))
  }

  async #watchLitecoin(): Promise<void> {
    const call = apiOf(this.#url, await operatorToken(this.#url, 'owner'))
    // Wait: the chain must be watched and read first.
    for (let isRead = false; !isRead; ) {
      const chains = await call<{ items: { network: string; height: number | null }[] }>(
        'GET',
        '/operator/chains',
      )
      isRead = chains.items.some(({ network, height }) => network === 'litecoin' && height !== null)
      if (!isRead) await delay(200)
    }
    const accountKey = accountOf(ABANDON, "m/84'/1'/0'", 'vpub').publicExtendedKey
    const wallet = await call<{ id: number; firstAddresses: string[] }>('POST', '/operator/wallets', {
      family: 'litecoin',
      accountKey,
      name: 'kills',
    })
    await call('POST', `/operator/wallets/${wallet.id}/check`, { addresses: wallet.firstAddresses })
    await call('PUT', '/operator/currencies/LTC/wallet', { walletId: wallet.id })
  }

  async #startLoad(): Promise<void> {
    const url = this.#url
    this.#operator = await operatorToken(url, 'owner')
    await this.#repeat()
    const [payer = '', ...buyers] = this.#buyers
    const ending = new AbortController()
    this.#ending = ending
    const { signal } = ending
    const parts = [
      ...buyers.map((token) =>
        buyUntilLost(url, token, this.#byOperator, { made: () => delay(ORDER_MS), signal }),
      ),
      buyUntilLost(url, payer, this.#byChain, { currency: 'LTC', made: (order) => this.#pay(order), signal }),
      approveUntilLost(url, this.#operator, this.#byOperator, signal),
    ]
    // A load without an answer stops all.
    this.#loading = Promise.all(parts.map((part) => part.finally(() => ending.abort())))
    this.#isLoaded = true
    const note = () => {
      this.#isLoaded = false
    }
    // The failure is thrown when the load is awaited.
    this.#loading.then(note, note)
  }

  async #endLoad(): Promise<void> {
    this.#ending.abort()
    await this.#loading
  }

  /** A payment accepted by the node must be credited. */
  async #pay({ number, address }: MadeOrder): Promise<void> {
    if (this.#byChain.approved.size < PAYMENTS_MAX) {
      await this.#node.send(address, '2')
      this.#byChain.approved.add(number)
    }
    await delay(500)
  }

  async #repeat(): Promise<void> {
    const loads: Load[] = [this.#byOperator, this.#byChain]
    for (const load of loads) {
      this.#repeated += load.unanswered.length
      await repeatUnanswered(this.#url, this.#operator, load)
    }
  }
}
