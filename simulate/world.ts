import { setImmediate } from 'node:timers/promises'
import { Client, type Pool, type PoolClient } from 'pg'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeFunctionData, encodeFunctionResult } from 'viem/utils'
import { saleEscrowAbi } from '../contracts/artifacts/abi.ts'
import { Actions, type AnyAction } from '../src/server/actions/actions.ts'
import { Campaign, setCapacity } from '../src/server/campaign/campaign.ts'
import type { ChainConfig } from '../src/server/chain-config.ts'
import { Currencies } from '../src/server/currencies/currencies.ts'
import { type Database, openDatabase, sql } from '../src/server/database/database.ts'
import type { EmbeddedPostgres } from '../src/server/database/embedded.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { roundActions } from '../src/server/delivery/round-actions.ts'
import { demoSettings } from '../src/server/demo/demo-campaign.ts'
import { seedCampaign } from '../src/server/demo/seed.ts'
import { Escrows } from '../src/server/escrows/escrows.ts'
import { Ledger } from '../src/server/ledger/ledger.ts'
import { Orders } from '../src/server/orders/orders.ts'
import { Pricing } from '../src/server/orders/pricing.ts'
import { addressAt, readAccountKey } from '../src/server/payments/account-keys.ts'
import { Chains } from '../src/server/payments/chains.ts'
import type { EvmLooks } from '../src/server/payments/evm/evm-looks.ts'
import { ReceivedPayments } from '../src/server/payments/received-payments.ts'
import { Refunds } from '../src/server/payments/refunds.ts'
import { Wallets } from '../src/server/payments/wallets.ts'
import { Watcher } from '../src/server/payments/watcher.ts'
import { ensureChains } from '../src/server/payments/watchers.ts'
import { Referral } from '../src/server/referral/referral.ts'
import { type BuyerActor, type OperatorActor, UnitsOfWork } from '../src/server/unit-of-work/unit-of-work.ts'
import type { ActionName } from '../src/shared/actions.ts'
import type { Network } from '../src/shared/networks.ts'
import { ABANDON, accountOf, JUNK } from '../test/chains/account-keys.ts'
import { fixedNodes } from '../test/chains/fixed-nodes.ts'
import { testSecrets } from '../test/support/secrets.ts'
import { CLOCK_SQL, SimulatedClock } from './clock.ts'
import { SimulatedChain } from './simulated-chain.ts'
import { STAND_SQL } from './stand.ts'

/** `WINDOW_DEPTH`: hashes that a watcher keeps. */
export const FINAL_DEPTH = 12
const WINDOW_DEPTH = 30
/** Above this value a second Ethereum node is asked. */
export const SECOND_ABOVE_USD = '1000'

export const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'
/** The escrows' token; the key below signs their orders. */
export const USD_COIN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
/** The token at a fixed address. */
const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
const QUOTE_KEY = `0x${'11'.repeat(32)}` as const

const ACCOUNT_KEYS = {
  litecoin: accountOf(ABANDON, "m/84'/2'/0'", 'zpub').publicExtendedKey,
  evm: accountOf(ABANDON, "m/44'/60'/0'", 'xpub').publicExtendedKey,
}

/** Refund addresses, from another wallet. */
const theirs = readAccountKey(accountOf(JUNK, "m/84'/2'/0'", 'zpub').publicExtendedKey, {
  family: 'litecoin',
  net: 'main',
})
export const REFUND_ADDRESSES = Array.from({ length: 7 }, (_, index) => addressAt(theirs, index))

export const configs: readonly ChainConfig[] = [
  {
    family: 'bitcoin',
    network: 'litecoin',
    node: { kind: 'core', url: 'http://simulated' },
    net: 'main',
    pollMs: 1_000,
    startHeight: undefined,
    explorerUrl: undefined,
  },
  {
    family: 'evm',
    network: 'ethereum',
    chainId: 1,
    rpcUrl: 'http://simulated',
    secondRpcUrl: undefined,
    secondAboveUsd: SECOND_ABOVE_USD,
    net: 'main',
    pollMs: 1_000,
    startHeight: undefined,
    explorerUrl: undefined,
  },
]

/** Goals that can be reached, but are large enough for the maximum order. */
const CAMPAIGN_SQL = `
  update stages set goal_usd = 600000, ends_at = starts_at + interval '20 days';
  insert into stages (name, goal_usd, price_usd, starts_at, ends_at)
    select 'Stage 2', 300000, 6, ends_at + interval '1 hour', ends_at + interval '30 days' from stages;
  update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"20000"');
  update currencies set rate_source = 'manual';
  update currencies set token_contract = '${TETHER}' where code = 'USDT';
  update currencies set token_contract = '${USD_COIN}' where code = 'USDC';
  update currencies set token_contract = '${DAI}', coin_decimals = 6 where code = 'DAI';
  delete from currencies where code not in ('LTC', 'ETH', 'USDT', 'USDC', 'DAI')`

/** Escrows close in a stage's last two days; the second is small enough to fill up. */
const ESCROW_SQL = `
  update currencies set in_escrow = true where code = 'USDC';
  insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by, review_seconds,
                       locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height, block_hash, mined_at, second_node)
  select id, 'ethereum', 1, '0x' || repeat('e' || id, 20), '0x' || repeat('b', 40), '0x' || repeat('5', 40), '0x' || repeat('6', 40),
         case when price_usd = 6 then 3000 else 60000 end, ends_at - interval '2 days', ends_at + interval '30 days', 0, true, 10000, 0, 0,
         array['${USD_COIN}'], '${privateKeyToAccount(QUOTE_KEY).address}', '0x' || repeat('0', 64), 1, '0x' || repeat('0', 64), clock_timestamp(), false
    from stages`

/** Some payments count before they are final: by the second node too, which may be behind. */
const RULES_SQL = `
  update chains set confirmation_rules =
    '[{"belowUsd": "10000", "confirmations": 6}, {"belowUsd": null, "confirmations": 12, "finalized": true}]' where name = 'ethereum'`

export const DATABASE = 'simulation'

/** Delivery on Ethereum, where the first buyers have an address. */
const DELIVERY_SQL = `
  update campaign set settings = jsonb_set(settings, '{delivery}', settings -> 'delivery' || '{"chain": "ethereum", "tokenContract": "0x${'c'.repeat(40)}"}');
  insert into delivery_addresses (user_id, address, network, chain_id, proof, named_at, confirmed_at, counts_from)
  select id, '0x' || repeat('d' || id, 20), 'ethereum', 1, 'typed', clock_timestamp(), clock_timestamp(), clock_timestamp() from users`
const roundsOn = {
  chainIdOf: () => 1,
  isFollowed: () => true,
  acceptsSignature: async () => false,
  hasContract: async () => false,
  standsOnlyElsewhere: async () => false,
}

/** The modules of one process; a restart makes new ones. */
function openModules(db: Database, chains: ReadonlyMap<Network, SimulatedChain>, closings: Closings) {
  const units = new UnitsOfWork({ db, afterCommit: () => {} })
  const hintOutbox = () => {}
  const campaign = new Campaign({ db, units })
  const explorerUrl = () => null
  const received = new ReceivedPayments({ db, explorerUrl })
  const refunds = new Refunds({ db, units, secrets: testSecrets, configs, explorerUrl })
  const wallets = new Wallets({
    db,
    secrets: testSecrets,
    chains: { netOf: () => 'main', chainIdOf: () => 1, decimalsOf: async () => 6 },
  })
  const orders = new Orders({
    db,
    campaign,
    units,
    payments: received,
    pricing: new Pricing({ db, applyStagePrice: () => campaign.applyStagePrice() }),
    reserveAddress: (currencyId) => wallets.reserveAddress(currencyId),
    batching: false,
    hintOutbox,
  })
  const ledger = new Ledger({ db, hintOutbox, batching: false })
  const currencies = new Currencies({ db, fetchPrices: () => Promise.reject(new Error('no price service')) })
  const all = {
    ...campaign.actions,
    ...currencies.actions,
    ...ledger.actions,
    ...received.actions,
    ...refunds.actions,
    ...wallets.actions,
    ...roundActions(roundsOn),
    ...new Chains({ db, secrets: testSecrets, nodes: fixedNodes(db, configs) }).actions,
  }
  return {
    units,
    campaign,
    received,
    refunds,
    wallets,
    orders,
    ledger,
    referral: new Referral({ db, secrets: testSecrets, hintOutbox }),
    escrows: new Escrows({
      db,
      secrets: testSecrets,
      evm: { chainIdOf: () => 1 },
      looks: looksAt(chains, closings),
    }),
    all,
    actions: new Actions({
      db,
      units,
      secrets: testSecrets,
      publicUrl: 'http://localhost',
      all: all as never,
    }),
  }
}

/** Closing times by address. */
type Closings = ReadonlyMap<string, number>

/** The contracts' answers in the newest block, whose time is their clock. */
function looksAt(
  chains: ReadonlyMap<Network, SimulatedChain>,
  closings: Closings,
): Pick<EvmLooks, 'look' | 'hashAt'> {
  const chain = () => chains.get('ethereum') as SimulatedChain
  const isClosed = (address: Hex) => (closings.get(address.toLowerCase()) ?? 0) <= chain().minedAt
  const answer = ({ to, data }: { to: Hex; data: Hex }) => {
    if (to.toLowerCase() === USD_COIN) return encodeWord(0n)
    const { functionName, args } = decodeFunctionData({ abi: saleEscrowAbi, data })
    if (functionName === 'state') return encodeWord(isClosed(to) ? 1n : 0n)
    if (functionName === 'locked') return encodeWord(1n)
    if (functionName === 'quoteKey') return encodeWord(BigInt(privateKeyToAccount(QUOTE_KEY).address))
    const nobody: Hex = `0x${'0'.repeat(40)}`
    const state = ['none', 'paid', 'cancelled', 'refunded'].indexOf(
      chain().orderInEscrow(`ethereum:${to.toLowerCase()}:${String(args?.[0]).toLowerCase()}`),
    )
    const result = { payer: nobody, amount: 0n, asset: 0, beneficiary: nobody, tokens: 0n, state }
    return encodeFunctionResult({ abi: saleEscrowAbi, functionName: 'order', result })
  }
  return {
    look: async (_of, reads) => ({
      height: chain().height,
      hash: '',
      minedAt: new Date(),
      secondNode: false,
      answers: reads.map((read) => ('data' in read ? answer(read as { to: Hex; data: Hex }) : null)),
    }),
    hashAt: async () => '',
  }
}

const encodeWord = (word: bigint): Hex => `0x${word.toString(16).padStart(64, '0')}`

/** A sale on its own database. */
export class World {
  readonly clock: SimulatedClock
  readonly chains: ReadonlyMap<Network, SimulatedChain>
  readonly db: Database
  readonly operators: readonly string[]
  readonly fuse: Fuse
  secondAboveUsd = SECOND_ABOVE_USD
  /** Decimals that people pay; more are cut off. */
  paidDecimals = 6
  #buyers: readonly string[]
  readonly #closings: Closings
  #modules: ReturnType<typeof openModules>
  #leaders = new Map<Network, { watcher: Watcher; epoch: string }>()

  private constructor(
    clock: SimulatedClock,
    { db, fuse }: Session,
    people: { buyers: string[]; operators: string[] },
    closings: Closings,
  ) {
    this.clock = clock
    this.db = db
    this.fuse = fuse
    this.#buyers = people.buyers
    this.operators = people.operators
    this.chains = new Map(
      configs.map(({ network, family }) => [network, new SimulatedChain(network, family, clock.now)]),
    )
    this.#closings = closings
    this.#modules = openModules(db, this.chains, closings)
  }

  static async open(clock: SimulatedClock, session: Session): Promise<World> {
    const { db } = session
    const people = { buyers: await idsOf(db, 'users'), operators: await idsOf(db, 'operators') }
    return new World(clock, session, people, await closingsOf(db))
  }

  get buyers(): readonly string[] {
    return this.#buyers
  }

  async countBuyers(): Promise<void> {
    this.#buyers = await idsOf(this.db, 'users')
  }

  /** The index modulo the count; negative ones count from the end. */
  indexOf(buyer: number): number {
    const count = this.#buyers.length
    return ((buyer % count) + count) % count
  }

  get modules() {
    return this.#modules
  }

  /** Restarts the process, whose memory is lost. */
  restart(): void {
    this.#modules = openModules(this.db, this.chains, this.#closings)
    this.#leaders.clear()
  }

  buyer(index: number): BuyerActor {
    const userId = this.#buyers[this.indexOf(index)] ?? ''
    return {
      kind: 'buyer',
      operatorId: null,
      userId,
      login: 'buyer',
      authenticatedAt: new Date(),
      requestId: 'simulated',
    }
  }

  operator(index: number, once?: OperatorActor['once']): OperatorActor {
    const operatorId = this.operators[index % this.operators.length] ?? ''
    return {
      kind: 'operator',
      operatorId,
      login: `operator ${operatorId}`,
      role: 'owner',
      sessionId: null,
      authenticatedAt: new Date(),
      requestId: 'simulated',
      once,
    }
  }

  execute(name: ActionName, actor: OperatorActor, input: unknown): Promise<unknown> {
    const action = (this.#modules.all as Record<string, AnyAction>)[name]
    if (!action) throw new Error(`no action ${name}`)
    return this.#modules.actions.execute(action, actor, input)
  }

  /** The old leader still believes to lead. Returns the new one's watcher. */
  async takeOver(network: Network): Promise<{ watcher: Watcher; epoch: string }> {
    const usual = configs.find((chain) => chain.network === network)
    const chain = this.chains.get(network)
    if (!usual || !chain) throw new Error(`${network} is not followed`)
    const { secondAboveUsd } = this
    const config = usual.family === 'evm' ? { ...usual, secondAboveUsd } : usual
    const { epoch } = await this.db.one<{ epoch: string }>(
      sql`update chains set epoch = epoch + 1 where name = ${network} returning epoch::text`,
    )
    const source = chain.source(FINAL_DEPTH, WINDOW_DEPTH)
    const leader = {
      watcher: new Watcher({ db: this.db, secrets: testSecrets, config, source, hintOutbox: () => {} }),
      epoch,
    }
    this.#leaders.set(network, leader)
    return leader
  }

  async leaderOf(network: Network) {
    return this.#leaders.get(network) ?? (await this.takeOver(network))
  }
}

async function idsOf({ pool }: Database, table: 'users' | 'operators'): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select id from ${table} order by id`)
  return rows.map(({ id }) => id)
}

async function closingsOf({ pool }: Database): Promise<Closings> {
  const { rows } = await pool.query<{ address: string; closes_at: Date }>(
    'select address, closes_at from escrows',
  )
  return new Map(rows.map((row) => [row.address, row.closes_at.getTime()]))
}

interface Session {
  readonly db: Database
  readonly fuse: Fuse
}

/**
 * Kills the process: the connection is lost before the chosen statement runs, or after it ran but before its
 * answer.
 */
class Fuse {
  #left: number | undefined
  #isAfter = false
  #hasBurnt = false
  #commits = 0
  #underWay = 0

  /** Burns after `statements` others; after its execution if the number is odd. */
  light(statements: number): void {
    this.#left = statements
    this.#isAfter = statements % 2 === 1
    this.#hasBurnt = false
  }

  get commits(): number {
    return this.#commits
  }

  putOut(): boolean {
    const hasBurnt = this.#hasBurnt
    this.#left = undefined
    this.#hasBurnt = false
    return hasBurnt
  }

  /** Watches each connection from its first statement. */
  watch(pool: Pool): void {
    const connect = pool.connect.bind(pool) as unknown as (
      callback?: (...given: unknown[]) => void,
    ) => Promise<PoolClient>
    pool.on('connect', (client) => {
      const run = client.query.bind(client) as (...given: unknown[]) => unknown
      client.query = ((...given: unknown[]) =>
        this.#burns() ? this.#cut(run, given) : this.#run(run, given)) as never
    })
    // Rolls back what a lost connection had begun; a really new one would only cost planning time.
    pool.connect = (async (callback?: (...given: unknown[]) => void) => {
      // Only the simulation's queries between steps use callbacks.
      if (callback) return connect(callback)
      const client = await connect()
      this.#underWay += 1
      const release = client.release.bind(client)
      client.release = (error) => {
        this.#underWay -= 1
        release(isCut(error) ? undefined : error)
      }
      return client
    }) as never
  }

  /** Waits, because everything concurrent dies with the process. */
  async quiet(): Promise<void> {
    do await setImmediate()
    while (this.#underWay > 0)
  }

  #burns(): boolean {
    if (this.#left === undefined) return false
    this.#left -= 1
    return this.#left < 0
  }

  #run(run: (...given: unknown[]) => unknown, given: unknown[]): unknown {
    if (given[0] === 'commit') this.#commits += 1
    return run(...given)
  }

  async #cut(run: (...given: unknown[]) => unknown, given: unknown[]): Promise<never> {
    if (!this.#hasBurnt) {
      if (this.#isAfter) await Promise.resolve(this.#run(run, given)).catch(() => {})
      this.#hasBurnt = true
    }
    await run('rollback')
    throw Object.assign(new Error(CUT), { code: '57P01' })
  }
}

/** Connections are opened in advance, so that concurrent statements start in the same order in each run. */
const POOL_SIZE = 2
/** Ten days, because timers are limited to 24. */
const NEVER_MS = 864_000_000

const CUT = 'the process died'
const isCut = (error: unknown) => error instanceof Error && error.message === CUT

/** After so many sales a vacuum of dead rows pays off. */
const SALES_PER_VACUUM = 10

/** Worlds on one database, which is reset between them. */
export class Worlds {
  readonly #postgres: EmbeddedPostgres
  readonly #clock: SimulatedClock
  #session: Session | undefined
  #admin: Client | undefined
  #sales = 0

  constructor(postgres: EmbeddedPostgres, clock: SimulatedClock) {
    this.#postgres = postgres
    this.#clock = clock
  }

  /** Makes a database that is migrated, seeded and ready to sell. */
  async prepare(): Promise<void> {
    const owner = decodeURIComponent(new URL(this.#postgres.ownerUrl).username)
    const server = await this.#connect(undefined)
    await server.query(`alter role ${owner} set search_path = public, simulated, pg_catalog`)
    await server.query(`create database ${DATABASE} owner ${owner}`)
    await server.end()
    this.#admin = await this.#connect(DATABASE)
    await this.#admin.query(CLOCK_SQL)
    const url = onDatabase(this.#postgres.ownerUrl, DATABASE)
    await migrate(url)
    const db = openDatabase({ url, poolSizeMax: POOL_SIZE, statementTimeoutMs: NEVER_MS })
    Object.assign(db.pool.options, { idleTimeoutMillis: 0, connectionTimeoutMillis: 0 })
    const fuse = new Fuse()
    this.#clock.follow(db.pool)
    fuse.watch(db.pool)
    this.#session = { db, fuse }
    const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => db.pool.connect()))
    for (const client of clients) client.release()
    await seedCampaign(db, true)
    await db.pool.query(CAMPAIGN_SQL)
    await db.transaction((tx) => setCapacity(tx, demoSettings))
    for (const name of ['ann', 'ben', 'cat'])
      await db.pool.query(
        `insert into users (email, email_key, name, phone, password_hash, confirmed_at)
         values ($1, $1, $1, '+10000000', 'x', clock_timestamp())`,
        [`${name}@example.org`],
      )
    await db.pool.query(DELIVERY_SQL)
    for (const login of ['olga', 'otto'])
      await db.pool.query(`insert into operators (login, role) values ($1, 'owner')`, [login])
    await ensureChains(db, configs)
    await watchCurrencies(await World.open(this.#clock, this.#session))
    await db.pool.query(
      `insert into quote_keys (id, address, key_encrypted) overriding system value values (1, $1, $2)`,
      [privateKeyToAccount(QUOTE_KEY).address, testSecrets.encrypt('quote-key', QUOTE_KEY, '1')],
    )
    await db.pool.query(ESCROW_SQL)
    await db.pool.query(RULES_SQL)
    await this.#admin.query(STAND_SQL)
    await this.#admin.query(await savingSql(this.#admin))
  }

  /** Each world begins at the start of time. */
  async within<T>(work: (world: World) => Promise<T>): Promise<T> {
    if (!this.#session || !this.#admin) throw new Error('no world before prepare()')
    this.#sales += 1
    await this.#admin.query('select simulated.begin_again()')
    if (this.#sales % SALES_PER_VACUUM === 0) await this.#admin.query('vacuum')
    await this.#clock.reset()
    return work(await World.open(this.#clock, this.#session))
  }

  async close(): Promise<void> {
    await this.#session?.db.close()
    await this.#admin?.end()
  }

  async #connect(database: string | undefined): Promise<Client> {
    const url = this.#postgres.adminUrl
    const client = new Client({ connectionString: database ? onDatabase(url, database) : url })
    await client.connect()
    return client
  }
}

/** Much faster than a new database. */
async function savingSql(admin: Client): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string; columns: string }>(
    `select c.table_name as name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' group by 1 order by 1`,
  )
  const { rows: sequences } = await admin.query<{ name: string; last: string | null }>(
    `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  )
  return `
    ${tables.map(({ name }) => `create table simulated.saved_${name} as table public.${name};`).join('\n')}
    create function simulated.begin_again() returns void language plpgsql as $$
    begin
      perform set_config('session_replication_role', 'replica', true);
      ${tables
        .map(
          ({ name, columns }) => `delete from public.${name};
      insert into public.${name} (${columns}) overriding system value select ${columns} from simulated.saved_${name};`,
        )
        .join('\n')}
      ${sequences.map(({ name, last }) => `perform setval('public.${name}', ${last ?? 1}, ${last !== null});`).join('\n')}
    end $$`
}

/** Adds wallets as an operator would. */
async function watchCurrencies(world: World): Promise<void> {
  const actor = world.operator(0)
  for (const [family, codes] of [
    ['litecoin', ['LTC']],
    ['evm', ['ETH', 'USDT', 'USDC']],
  ] as const) {
    const wallet = (await world.execute('wallet.add', actor, {
      family,
      accountKey: ACCOUNT_KEYS[family],
      name: family,
    })) as { id: number; firstAddresses: string[] }
    await world.execute('wallet.check', actor, { id: wallet.id, addresses: wallet.firstAddresses })
    for (const code of codes) await world.execute('currency.wallet', actor, { code, walletId: wallet.id })
  }
}

export const onDatabase = (url: string, name: string) => url.replace(/(@[^/]+\/)[^?]*/, `$1${name}`)
